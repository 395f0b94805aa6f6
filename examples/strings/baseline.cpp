// Tidies a text.
//
// Input:  any number of lines of ASCII text (up to 4 MB).
// Output: for each input line one line with its words, separated by single
//         spaces. A word is what stands between white space, with everything
//         but letters and digits left out, in lower case with a capital first
//         letter; words that are left empty are dropped, and palindromes of two
//         or more characters are put in brackets. Then one line with the number
//         of words, the number of palindromes and the longest word (the first
//         of them; "-" if there is none).

#include <cctype>
#include <iostream>
#include <string>
#include <vector>

using namespace std;

vector<string> split(string line) {
    vector<string> words;
    size_t start = 0;
    while (start < line.size()) {
        size_t end = start;
        while (end < line.size() && !isspace(static_cast<unsigned char>(line[end]))) {
            end++;
        }
        if (end > start) {
            words.push_back(line.substr(start, end - start));
        }
        start = end + 1;
    }
    return words;
}

string clean(string word) {
    string result = "";
    for (size_t i = 0; i < word.size(); i++) {
        unsigned char c = word[i];
        if (isalnum(c)) {
            result = result + static_cast<char>(tolower(c));
        }
    }
    return result;
}

string reversed(string word) {
    string result = "";
    for (char c : word) {
        result = c + result;
    }
    return result;
}

string capitalised(string word) {
    return string(1, toupper(static_cast<unsigned char>(word[0]))) + word.substr(1);
}

int main() {
    string text = "";
    string longest = "-";
    size_t longest_size = 0;
    int words = 0;
    int palindromes = 0;

    string line;
    while (getline(cin, line)) {
        string tidy = "";
        for (string raw : split(line)) {
            string word = clean(raw);
            if (word == "") {
                continue;
            }
            words++;
            if (word.size() > longest_size) {
                longest = word;
                longest_size = word.size();
            }
            string shown = capitalised(word);
            if (word.size() >= 2 && word == reversed(word)) {
                palindromes++;
                shown = "[" + shown + "]";
            }
            if (tidy != "") {
                tidy = tidy + " ";
            }
            tidy = tidy + shown;
        }
        text = text + tidy + "\n";
    }

    cout << text;
    cout << words << " " << palindromes << " " << longest << "\n";
    return 0;
}
