// WORK passes in order over 3 MB with a little arithmetic: hardly minds the caches itself, and empties them for others.
#include <cstdint>
#include <cstdio>
#include <vector>
#ifndef WORK
#define WORK 100
#endif
int main() {
    std::vector<uint64_t> data(3 * 128 * 1024, 7);
    uint64_t sum = 1;
    for (int pass = 0; pass < WORK; pass++)
        for (uint64_t value : data) sum = (sum ^ value) * 6364136223846793005ull + 1;
    std::printf("%d\n", sum > 0);
}
