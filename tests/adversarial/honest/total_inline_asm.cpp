// attack: none, an honest aggressive program: popcnt and bsf by inline assembler over a bitmap, the first after a look at cpuid
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <climits>
#include <cstdio>
#include <unordered_set>
#include <vector>

static int ones(unsigned long long word, bool popcnt) {
#if defined(__x86_64__)
    unsigned long long found;
    if (popcnt) {
        asm("popcnt %1, %0" : "=r"(found) : "rm"(word) : "cc");
        return (int)found;
    }
    int count = 0;
    for (; word; word &= ~(1ull << found), ++count) asm("bsf %1, %0" : "=r"(found) : "rm"(word) : "cc");
    return count;
#else
    (void)popcnt;
    return __builtin_popcountll(word);
#endif
}

static bool has_popcnt() {
#if defined(__x86_64__)
    unsigned a = 1, b, c = 0, d;
    asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return c >> 23 & 1;
#else
    return false;
#endif
}

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<long long> values(n);
    long long sum = 0, low = LLONG_MAX, high = LLONG_MIN;
    for (auto &v : values) {
        if (std::scanf("%lld", &v) != 1) return 1;
        sum += v, low = std::min(low, v), high = std::max(high, v);
    }
    long long distinct = 0;
    unsigned long long range = n ? (unsigned long long)high - (unsigned long long)low : 0;
    if (range < 1u << 28) {
        std::vector<unsigned long long> bits(range / 64 + 1);
        for (long long v : values) bits[(v - low) / 64] |= 1ull << ((v - low) & 63);
        const bool popcnt = has_popcnt();
        for (unsigned long long word : bits) distinct += ones(word, popcnt);
    } else {
        distinct = std::unordered_set<long long>(values.begin(), values.end()).size();
    }
    std::printf("%lld %lld %lld\n", sum, n ? high : 0, distinct);
}
