// Words by how often they occur, ${order}.
// Input: n, then n words of lower-case letters.
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using namespace std;

bool before(pair<string, int> a, pair<string, int> b) {
    if (a.second != b.second) {
        return a.second ${compare} b.second;
    }
    return a.first < b.first;
}

string tidy(string word) {
    string result = "";
    for (size_t i = 0; i < word.size(); i++) {
        if (word[i] ${keep}) {
            result = ${build};
        }
    }
    return result;
}

int main() {
    int n;
    cin >> n;
    map<string, int> counts;
    for (int i = 0; i < n; i++) {
        string word;
        cin >> word;
        word = tidy(word);
        if (word == "") {
            continue;
        }
        if (counts.count(word) == 0) {
            counts[word] = 0;
        }
        counts[word] = counts[word] + 1;
    }
    vector<pair<string, int>> sorted;
    for (pair<string, int> entry : counts) {
        sorted.push_back(entry);
    }
    sort(sorted.begin(), sorted.end(), before);
    for (size_t i = 0; i < sorted.size() && i < ${shown}; i++) {
        cout << sorted[i].first << " " << sorted[i].second << endl;
    }
    return 0;
}
