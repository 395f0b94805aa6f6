// attack: none, an honest aggressive program: ends of numbers found with AVX2 where the processor has it, plain code elsewhere
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

static void report(std::vector<long long> values) {
    long long sum = 0;
    for (long long v : values) sum += v;
    std::sort(values.begin(), values.end());
    long long largest = values.empty() ? 0 : values.back();
    long long distinct = std::unique(values.begin(), values.end()) - values.begin();
    std::printf("%lld %lld %lld\n", sum, largest, distinct);
}

using Ends = std::vector<unsigned>;

static Ends ends_plain(const std::string &text, size_t from) {
    Ends found;
    for (size_t i = from; i < text.size(); ++i)
        if (text[i] <= ' ') found.push_back(i);
    return found;
}

#if defined(__x86_64__)
__attribute__((target("avx2,bmi"))) static Ends ends_avx2(const std::string &text) {
    Ends found;
    size_t i = 0;
    const __m256i most = _mm256_set1_epi8(' ' + 1);
    for (; i + 32 <= text.size(); i += 32) {
        __m256i block = _mm256_loadu_si256((const __m256i *)(text.data() + i));
        for (unsigned mask = _mm256_movemask_epi8(_mm256_cmpgt_epi8(most, block)); mask; mask = _blsr_u32(mask))
            found.push_back(i + __builtin_ctz(mask));
    }
    for (unsigned at : ends_plain(text, i)) found.push_back(at);
    return found;
}
#endif

static Ends ends(const std::string &text) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")) return ends_avx2(text);
#endif
    return ends_plain(text, 0);
}

int main() {
    std::string text;
    static char block[1 << 16];
    for (size_t got; (got = std::fread(block, 1, sizeof block, stdin)) > 0;) text.append(block, got);
    text += '\n';
    std::vector<long long> values;
    unsigned start = 0;
    for (unsigned end : ends(text)) {
        if (end > start) {
            bool negative = text[start] == '-';
            unsigned long long v = 0;
            for (unsigned i = start + negative; i < end; ++i) v = v * 10 + (text[i] - '0');
            values.push_back((long long)(negative ? 0 - v : v));
        }
        start = end + 1;
    }
    size_t n = values.empty() ? 0 : values[0];
    if (!values.empty()) values.erase(values.begin());
    values.resize(n);
    report(std::move(values));
}
