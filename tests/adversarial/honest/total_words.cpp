// attack: none, an honest aggressive program: eight digits at a time by arithmetic on words, unaligned loads of a may_alias type
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

static void report(std::vector<long long> values) {
    long long sum = 0;
    for (long long v : values) sum += v;
    std::sort(values.begin(), values.end());
    long long largest = values.empty() ? 0 : values.back();
    long long distinct = std::unique(values.begin(), values.end()) - values.begin();
    std::printf("%lld %lld %lld\n", sum, largest, distinct);
}

typedef uint64_t __attribute__((aligned(1), may_alias)) Word;

static bool eight_digits(uint64_t w) {
    return ((w & 0xf0f0f0f0f0f0f0f0) | ((w + 0x0606060606060606) & 0xf0f0f0f0f0f0f0f0) >> 4) == 0x3333333333333333;
}
static unsigned eight(uint64_t w) {
    w = (w & 0x0f0f0f0f0f0f0f0f) * 2561 >> 8;
    w = (w & 0x00ff00ff00ff00ff) * 6553601 >> 16;
    return (unsigned)((w & 0x0000ffff0000ffff) * 42949672960001 >> 32);
}

int main() {
    std::string text;
    static char block[1 << 16];
    for (size_t got; (got = std::fread(block, 1, sizeof block, stdin)) > 0;) text.append(block, got);
    text.append(8, '\n');
    const char *p = text.data(), *end = p + text.size() - 8;
    auto next = [&p, end] {
        while (p < end && *p != '-' && unsigned(*p - '0') > 9) ++p;
        bool negative = *p == '-';
        p += negative;
        uint64_t v = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        for (; p < end && eight_digits(*(const Word *)p); p += 8) v = v * 100000000 + eight(*(const Word *)p);
#endif
        for (; unsigned(*p - '0') <= 9; ++p) v = v * 10 + (*p - '0');
        return (long long)(negative ? 0 - v : v);
    };
    std::vector<long long> values(next());
    for (auto &v : values) v = next();
    report(std::move(values));
}
