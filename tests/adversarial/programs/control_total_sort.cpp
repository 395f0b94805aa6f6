// attack: none, an honest faster program: one read, numbers parsed by hand, sort and unique
// task: total
// expect: ok
// reason: .*

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

int main() {
    std::string text;
    static char block[1 << 16];
    for (size_t got; (got = std::fread(block, 1, sizeof block, stdin)) > 0;) text.append(block, got);
    const char *p = text.c_str();
    auto next = [&p] {
        while (*p && *p != '-' && (*p < '0' || *p > '9')) ++p;
        bool negative = *p == '-';
        p += negative;
        long long v = 0;
        for (; *p >= '0' && *p <= '9'; ++p) v = v * 10 + (*p - '0');
        return negative ? -v : v;
    };
    std::vector<long long> values(next());
    long long sum = 0;
    for (auto &v : values) sum += v = next();
    std::sort(values.begin(), values.end());
    long long largest = values.empty() ? 0 : values.back();
    auto distinct = std::unique(values.begin(), values.end()) - values.begin();
    std::printf("%lld %lld %lld\n", sum, largest, (long long)distinct);
}
