#include <cmath>

#include "check.h"
#include "search/ranking.h"

int main() {
    search::Index index;
    CHECK(search::rank(index, "anything", 3).empty());
    for (const char *text : {"apple banana", "apple apple cherry", "banana", "date", "apple banana"}) index.add(text);
    const auto hits = search::rank(index, "Apple", 10);
    CHECK(hits.size() == 3);
    CHECK(hits[0].document == 1);
    CHECK(hits[1].document == 0 && hits[2].document == 4);  // equal scores: the older one first
    CHECK(hits[1].score == hits[2].score);
    CHECK(std::abs(hits[0].score - 0.624101) < 1e-5);
    CHECK(search::rank(index, "apple banana", 2).size() == 2);
    CHECK(search::rank(index, "apple banana", 2)[0].document == 0);
    CHECK(search::rank(index, "the", 2).empty());
    CHECK(search::rank(index, "apple", 0).empty());
    std::puts("ranking: ok");
}
