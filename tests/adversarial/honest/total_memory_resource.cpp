// attack: none, an honest aggressive program: a monotonic memory resource over a static buffer, from_chars
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory_resource>
#include <string>
#include <unordered_set>

static std::byte first[4 << 20];

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    std::string text(std::istreambuf_iterator<char>(std::cin.rdbuf()), {});
    const char *p = text.data(), *end = p + text.size();
    auto next = [&p, end] {
        while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) ++p;
        long long v = 0;
        p = std::from_chars(p, end, v).ptr;
        return v;
    };
    std::pmr::monotonic_buffer_resource memory(first, sizeof first);
    std::pmr::unordered_set<long long> distinct(&memory);
    long long n = next(), sum = 0, largest = 0;
    distinct.reserve(n);
    for (long long i = 0; i < n; ++i) {
        long long v = next();
        sum += v;
        largest = i == 0 ? v : std::max(largest, v);
        distinct.insert(v);
    }
    std::printf("%lld %lld %zu\n", sum, largest, distinct.size());
}
