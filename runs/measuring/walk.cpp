// STEPS dependent reads all over a table of 700 KB: fast while the table stays in the second-level cache.
#include <cstdint>
#include <cstdio>
#include <vector>
#ifndef STEPS
#define STEPS 4000000
#endif
int main() {
    const uint32_t n = 700 * 256;
    std::vector<uint32_t> next(n);
    for (uint32_t i = 0; i < n; i++) next[i] = uint32_t((i * 2654435761ull + 12345u) % n);
    uint32_t at = 0;
    uint64_t sum = 0;
    for (int i = 0; i < STEPS; i++) {
        at = next[(at + i * 7919u) % n];
        sum += at;
    }
    std::printf("%d\n", sum > 0);
}
