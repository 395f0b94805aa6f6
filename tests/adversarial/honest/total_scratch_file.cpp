// attack: none, an honest aggressive program: an external sort: sorted runs go to a temporary file, which is mapped and merged
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <queue>
#include <sys/mman.h>
#include <vector>

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    if (n == 0) return std::puts("0 0 0") < 0;
    FILE *file = std::tmpfile();
    if (!file) return 1;
    const int most = 1 << 15;
    std::vector<long long> run;
    std::vector<int> starts;
    long long sum = 0;
    for (int i = 0; i < n; ++i) {
        long long v = 0;
        if (std::scanf("%lld", &v) != 1) return 1;
        sum += v;
        run.push_back(v);
        if ((int)run.size() == most || i == n - 1) {
            std::sort(run.begin(), run.end());
            starts.push_back(i + 1 - (int)run.size());
            if (std::fwrite(run.data(), 8, run.size(), file) != run.size()) return 1;
            run.clear();
        }
    }
    if (std::fflush(file) != 0) return 1;
    auto *sorted = (const long long *)mmap(nullptr, 8 * (size_t)n, PROT_READ, MAP_SHARED, fileno(file), 0);
    if (sorted == MAP_FAILED) return 1;
    using Head = std::pair<long long, int>;
    std::priority_queue<Head, std::vector<Head>, std::greater<Head>> heads;
    for (int start : starts) heads.push({sorted[start], start});
    long long distinct = 0, last = 0;
    while (!heads.empty()) {
        auto [v, at] = heads.top();
        heads.pop();
        distinct += distinct == 0 || v != last;
        last = v;
        if (at + 1 < n && (at + 1) % most != 0) heads.push({sorted[at + 1], at + 1});
    }
    std::printf("%lld %lld %lld\n", sum, last, distinct);
}
