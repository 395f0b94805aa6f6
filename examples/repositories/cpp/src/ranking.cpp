#include "search/ranking.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "search/tokenizer.h"

namespace search {

static const double k1 = 1.2, b = 0.75;

static double weight(const Index &index, const Posting &posting, size_t matching) {
    const double n = index.documents();
    const double rarity = std::log(1 + (n - matching + 0.5) / (matching + 0.5));
    const double relative = index.length(posting.document) / index.average_length();
    return rarity * posting.count * (k1 + 1) / (posting.count + k1 * (1 - b + b * relative));
}

std::vector<Hit> rank(const Index &index, const std::string &query, int most) {
    std::map<int, double> scores;
    for (const std::string &word : tokenize(query)) {
        const std::vector<Posting> postings = index.find(word);
        for (const Posting &posting : postings) scores[posting.document] += weight(index, posting, postings.size());
    }
    std::vector<Hit> hits;
    for (const auto &entry : scores) hits.push_back({entry.first, entry.second});
    std::stable_sort(hits.begin(), hits.end(), [](const Hit &x, const Hit &y) { return x.score > y.score; });
    if (static_cast<int>(hits.size()) > most) hits.resize(most);
    return hits;
}

}  // namespace search
