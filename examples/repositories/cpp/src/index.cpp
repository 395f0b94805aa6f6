#include "search/index.h"

#include "search/tokenizer.h"

namespace search {

int Index::add(const std::string &text) {
    const int document = documents();
    const std::vector<std::string> words = tokenize(text);
    for (const std::string &word : words) {
        std::vector<Posting> &list = postings_[word];
        bool known = false;
        for (Posting &posting : list) {
            if (posting.document == document) {
                posting.count++;
                known = true;
            }
        }
        if (!known) list.push_back({document, 1});
    }
    lengths_.push_back(static_cast<int>(words.size()));
    return document;
}

std::vector<Posting> Index::find(const std::string &word) const {
    const auto found = postings_.find(word);
    return found == postings_.end() ? std::vector<Posting>() : found->second;
}

double Index::average_length() const {
    double total = 0;
    for (int length : lengths_) total += length;
    return lengths_.empty() ? 0 : total / lengths_.size();
}

}  // namespace search
