#pragma once

#include <string>
#include <vector>

#include "search/index.h"

namespace search {

struct Hit {
    int document;
    double score;
};

// The best documents for a query by BM25, best first; of equal scores, the older document first.
std::vector<Hit> rank(const Index &index, const std::string &query, int most);

}  // namespace search
