// attack: none, an honest aggressive program: an arena whose pages are given back and come anew as zeros (MADV_DONTNEED), and lazily (MADV_FREE)
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <vector>

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<long long> values(n);
    long long sum = 0;
    for (auto &v : values) {
        if (std::scanf("%lld", &v) != 1) return 1;
        sum += v;
    }
    size_t slots = 1 << 12;
    while (slots < 2 * (size_t)n) slots *= 2;
    void *table = mmap(nullptr, slots * 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (table == MAP_FAILED) return 1;
    auto *places = (long long *)table;  // 0: free; else 1 + the index of a value
    long long distinct = 0;
    for (int round = 0; round < 2; ++round) {  // even values, then odd ones, in the same memory
        for (int i = 0; i < n; ++i) {
            if ((values[i] & 1) != round) continue;
            size_t at = (unsigned long long)values[i] * 0x9e3779b97f4a7c15u >> 24 & (slots - 1);
            while (places[at] && values[places[at] - 1] != values[i]) at = (at + 1) & (slots - 1);
            distinct += !places[at];
            places[at] = i + 1;
        }
        if (madvise(table, slots * 8, MADV_DONTNEED) != 0) std::memset(table, 0, slots * 8);
    }
    madvise(table, slots * 8, MADV_FREE);
    long long largest = n ? *std::max_element(values.begin(), values.end()) : 0;
    std::printf("%lld %lld %lld\n", sum, largest, distinct);
}
