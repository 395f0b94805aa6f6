// attack: none, an honest aggressive program: two digits at a time by a table made by the compiler
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

static constexpr auto pairs = [] {
    std::array<int8_t, 65536> table{};
    for (auto &entry : table) entry = -1;
    for (int high = 0; high < 10; ++high)
        for (int low = 0; low < 10; ++low) table[('0' + low) << 8 | ('0' + high)] = int8_t(10 * high + low);
    return table;
}();

int main() {
    std::string text;
    static char block[1 << 16];
    for (size_t got; (got = std::fread(block, 1, sizeof block, stdin)) > 0;) text.append(block, got);
    text.append(2, '\n');
    const char *p = text.data(), *end = p + text.size() - 2;
    auto next = [&p, end] {
        while (p < end && *p != '-' && unsigned(*p - '0') > 9) ++p;
        bool negative = *p == '-';
        p += negative;
        unsigned long long v = 0;
        for (;; p += 2) {
            int pair = pairs[(unsigned char)p[1] << 8 | (unsigned char)p[0]];
            if (pair < 0) break;
            v = v * 100 + pair;
        }
        if (unsigned(*p - '0') <= 9) v = v * 10 + (*p++ - '0');
        return (long long)(negative ? 0 - v : v);
    };
    std::vector<long long> values(next());
    long long sum = 0;
    for (auto &v : values) sum += v = next();
    std::sort(values.begin(), values.end());
    long long largest = values.empty() ? 0 : values.back();
    auto distinct = std::unique(values.begin(), values.end()) - values.begin();
    std::printf("%lld %lld %lld\n", sum, largest, (long long)distinct);
}
