// attack: none, an honest aggressive program: versions of a loop for several processors, chosen by the loader
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <vector>

#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#endif
long long sum_of(const long long *v, long n) {
    long long sum = 0;
    for (long i = 0; i < n; ++i) sum += v[i];
    return sum;
}

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<long long> values(n);
    for (auto &v : values)
        if (std::scanf("%lld", &v) != 1) return 1;
    long long sum = sum_of(values.data(), n);
    std::sort(values.begin(), values.end());
    long long largest = values.empty() ? 0 : values.back();
    auto distinct = std::unique(values.begin(), values.end()) - values.begin();
    std::printf("%lld %lld %lld\n", sum, largest, (long long)distinct);
}
