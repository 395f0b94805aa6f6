#include "search/tokenizer.h"

#include <algorithm>
#include <cctype>

namespace search {

static const std::vector<std::string> &stop_words() {
    static const std::vector<std::string> words = {
        "a",    "about", "after", "all",  "an",   "and",  "any",  "are",   "as",    "at",   "be",   "been",
        "but",  "by",    "can",   "did",  "do",   "for",  "from", "had",   "has",   "have", "he",   "her",
        "his",  "how",   "i",     "if",   "in",   "into", "is",   "it",    "its",   "me",   "more", "my",
        "no",   "not",   "of",    "on",   "one",  "or",   "our",  "out",   "she",   "so",   "some", "than",
        "that", "the",   "their", "them", "then", "they", "this", "to",    "up",    "was",  "we",   "were",
        "what", "when",  "which", "who",  "will", "with", "would", "you",  "your"};
    return words;
}

bool is_stop_word(const std::string &word) {
    for (const std::string &each : stop_words())
        if (each == word) return true;
    return false;
}

static std::string lower(std::string word) {
    std::string result;
    for (char c : word) result = result + static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

std::vector<std::string> tokenize(const std::string &text) {
    std::vector<std::string> words;
    std::string word;
    for (size_t i = 0; i <= text.size(); i++) {
        const bool inside = i < text.size() && std::isalnum(static_cast<unsigned char>(text[i]));
        if (inside) {
            word = word + text[i];
        } else if (!word.empty()) {
            const std::string found = lower(word);
            if (!is_stop_word(found)) words.push_back(found);
            word = "";
        }
    }
    return words;
}

}  // namespace search
