// attack: none, an honest aggressive kernel: AVX-512 by intrinsics with masks for the rest, where the processor has it
// task: smooth
// expect: ok
// min_speedup: 1.3
// options: sanitize

#if defined(__x86_64__)
#include <immintrin.h>
#endif

static double edge(int n, const double *x, int i) {
    double sum = 0;
    for (int k = -4; k <= 4; ++k) {
        int j = i + k < 0 ? 0 : i + k > n - 1 ? n - 1 : i + k;
        sum += (5 - (k < 0 ? -k : k)) * x[j];
    }
    return sum / 25;
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static int wide(int from, int to, const double *x, double *y) {
    static const double weight[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
    for (; from < to; from += 8) {
        __mmask8 mask = to - from >= 8 ? 0xff : (1u << (to - from)) - 1;
        __m512d sum = _mm512_setzero_pd();
        for (int k = 0; k < 9; ++k)
            sum = _mm512_fmadd_pd(_mm512_set1_pd(weight[k]), _mm512_maskz_loadu_pd(mask, x + from + k - 4), sum);
        _mm512_mask_storeu_pd(y + from, mask, _mm512_div_pd(sum, _mm512_set1_pd(25)));
    }
    return to;
}
#endif

void smooth(int n, const double *x, double *y) {
    int head = n < 4 ? n : 4, tail = n - 4 > head ? n - 4 : head, at = head;
    for (int i = 0; i < head; ++i) y[i] = edge(n, x, i);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) at = wide(at, tail, x, y);
#endif
    for (; at < n; ++at) y[at] = edge(n, x, at);
}
