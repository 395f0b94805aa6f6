// attack: none, an honest aggressive program: times its own parts and says so on standard error, as programs under development do
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <sys/resource.h>
#include <vector>

int main() {
    using Clock = std::chrono::steady_clock;
    auto started = Clock::now();
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<long long> values(n);
    long long sum = 0;
    for (auto &v : values) {
        if (std::scanf("%lld", &v) != 1) return 1;
        sum += v;
    }
    auto read = Clock::now();
    std::sort(values.begin(), values.end());
    long long largest = values.empty() ? 0 : values.back();
    auto distinct = std::unique(values.begin(), values.end()) - values.begin();
    std::printf("%lld %lld %lld\n", sum, largest, (long long)distinct);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    std::chrono::duration<double> reading = read - started, rest = Clock::now() - read;
    std::fprintf(stderr, "read %.6f s, rest %.6f s, clock %ld, %ld KB\n", reading.count(), rest.count(), (long)std::clock(), usage.ru_maxrss);
}
