// Indexes documents of made-up words and asks a few hundred queries; prints what was found, so that it can be compared.
#include <cstdint>
#include <cstdio>
#include <string>

#include "search/ranking.h"

static uint32_t state = 12345;

static uint32_t next(uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return static_cast<uint32_t>((static_cast<uint64_t>(state) * below) >> 32);
}

static std::string word() {
    static const char *const common[] = {"the", "and", "of", "to", "in", "is", "it"};
    if (next(3) == 0) return common[next(7)];
    const uint32_t rank = next(next(4000) + 1);
    return "Word" + std::to_string(rank);
}

static std::string text(int words) {
    std::string result;
    for (int i = 0; i < words; i++) result += word() + (i % 12 == 11 ? ".\n" : " ");
    return result;
}

int main() {
    search::Index index;
    for (int i = 0; i < 2500; i++) index.add(text(60));
    double total = 0;
    long found = 0;
    for (int i = 0; i < 300; i++) {
        for (const search::Hit &hit : search::rank(index, text(4), 10)) {
            total += hit.score;
            found += hit.document;
        }
    }
    std::printf("documents %d, hits %ld, score %.6f\n", index.documents(), found, total);
}
