// ${what} of each word, joined into one text.
// Input: n, then n words.
#include <iostream>
#include <string>
#include <vector>

using namespace std;

string changed(string word) {
    string result = "";
    for (size_t i = 0; i < word.length(); i++) {
        result = ${step};
    }
    return result;
}

int main() {
    int n;
    cin >> n;
    string text = "";
    vector<string> words;
    for (int i = 0; i < n; i++) {
        string word;
        cin >> word;
        words.push_back(word);
    }
    int palindromes = 0;
    for (string word : words) {
        string other = changed(word);
        if (word == other) {
            palindromes++;
        }
        text = text + other + "${separator}";
        if (text.length() > ${longest}) {
            cout << text << endl;
            text = "";
        }
    }
    cout << text << endl;
    cout << palindromes << endl;
    return 0;
}
