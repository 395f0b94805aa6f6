// attack: none, an honest aggressive program: sum and largest with AVX-512 where the processor has it, found out by cpuid
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <climits>
#include <cstdio>
#include <vector>
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

struct Reduced { long long sum, largest; };

static Reduced plain(const long long *v, size_t n) {
    Reduced r{0, LLONG_MIN};
    for (size_t i = 0; i < n; ++i) r = {r.sum + v[i], std::max(r.largest, v[i])};
    return r;
}

#if defined(__x86_64__)
static bool has_avx512() {
    unsigned a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return false;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & 0xe6) == 0xe6 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX512F);
}

__attribute__((target("avx512f"))) static Reduced wide(const long long *v, size_t n) {
    __m512i sum = _mm512_setzero_si512(), largest = _mm512_set1_epi64(LLONG_MIN);
    for (size_t i = 0; i < n; i += 8) {
        __mmask8 mask = n - i >= 8 ? 0xff : (1u << (n - i)) - 1;
        __m512i part = _mm512_maskz_loadu_epi64(mask, v + i);
        sum = _mm512_add_epi64(sum, part);
        largest = _mm512_mask_max_epi64(largest, mask, largest, part);
    }
    return {_mm512_reduce_add_epi64(sum), _mm512_reduce_max_epi64(largest)};
}
#endif

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<long long> values(n);
    for (auto &v : values)
        if (std::scanf("%lld", &v) != 1) return 1;
    Reduced r{0, 0};
#if defined(__x86_64__)
    if (n) r = has_avx512() ? wide(values.data(), n) : plain(values.data(), n);
#else
    if (n) r = plain(values.data(), n);
#endif
    std::sort(values.begin(), values.end());
    auto distinct = std::unique(values.begin(), values.end()) - values.begin();
    std::printf("%lld %lld %lld\n", r.sum, r.largest, (long long)distinct);
}
