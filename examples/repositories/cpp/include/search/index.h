#pragma once

#include <map>
#include <string>
#include <vector>

namespace search {

// How often a word occurs in one document.
struct Posting {
    int document;
    int count;
};

// Which documents a word is in. Documents are numbered in the order in which they are added.
class Index {
public:
    int add(const std::string &text);
    std::vector<Posting> find(const std::string &word) const;
    int documents() const { return static_cast<int>(lengths_.size()); }
    int length(int document) const { return lengths_[document]; }
    double average_length() const;

private:
    std::map<std::string, std::vector<Posting>> postings_;
    std::vector<int> lengths_;
};

}  // namespace search
