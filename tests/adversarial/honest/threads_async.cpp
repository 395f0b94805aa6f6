// attack: none, an honest aggressive program: std::async for a part of the sort, a transform_reduce for the sum
// task: total_threads
// expect: ok
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <functional>
#include <future>
#include <numeric>
#include <vector>

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<long long> values(n);
    for (auto &v : values)
        if (std::scanf("%lld", &v) != 1) return 1;
    long long sum = std::transform_reduce(values.begin(), values.end(), 0LL, std::plus<>(), [](long long v) { return v; });
    auto begin = values.begin(), middle = begin + n / 2, end = values.end();
    auto half = std::async(std::launch::async, [begin, middle] { std::sort(begin, middle); });
    std::sort(middle, end);
    half.get();
    std::inplace_merge(begin, middle, end);
    long long largest = n ? values.back() : 0;
    std::printf("%lld %lld %lld\n", sum, largest, (long long)(std::unique(begin, end) - begin));
}
