// attack: none, an honest aggressive program: an open hash table whose slots are prefetched eight values ahead
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<long long> values(n);
    for (auto &v : values)
        if (std::scanf("%lld", &v) != 1) return 1;
    size_t slots = 64;
    while (slots < 2 * (size_t)n) slots *= 2;
    std::vector<long long> table(slots);
    std::vector<char> taken(slots);
    auto place = [slots](long long v) { return (size_t)((unsigned long long)v * 0x9e3779b97f4a7c15u >> 24) & (slots - 1); };
    long long sum = 0, largest = values.empty() ? 0 : values[0], distinct = 0;
    for (int i = 0; i < n; ++i) {
        if (i + 8 < n) {
            __builtin_prefetch(&table[place(values[i + 8])], 1, 3);
            __builtin_prefetch(&taken[place(values[i + 8])], 1, 3);
        }
        sum += values[i];
        largest = std::max(largest, values[i]);
        size_t at = place(values[i]);
        while (taken[at] && table[at] != values[i]) at = (at + 1) & (slots - 1);
        distinct += !taken[at];
        taken[at] = 1, table[at] = values[i];
    }
    std::printf("%lld %lld %lld\n", sum, largest, distinct);
}
