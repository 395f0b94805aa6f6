// attack: none, an honest aggressive kernel: AVX2 and FMA by intrinsics where the processor has them, plain code elsewhere
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

static int plain(int from, int to, const double *x, double *y) {
    for (int i = from; i < to; ++i) {
        const double *c = x + i;
        y[i] = (5 * c[0] + 4 * (c[-1] + c[1]) + 3 * (c[-2] + c[2]) + 2 * (c[-3] + c[3]) + (c[-4] + c[4])) * (1.0 / 25);
    }
    return to;
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static int wide(int from, int to, const double *x, double *y) {
    const __m256d two = _mm256_set1_pd(2), three = _mm256_set1_pd(3), four = _mm256_set1_pd(4), five = _mm256_set1_pd(5);
    for (; from + 4 <= to; from += 4) {
        const double *c = x + from;
        auto pair = [c](int k) __attribute__((target("avx2,fma"))) { return _mm256_add_pd(_mm256_loadu_pd(c - k), _mm256_loadu_pd(c + k)); };
        __m256d sum = _mm256_fmadd_pd(five, _mm256_loadu_pd(c), pair(4));
        sum = _mm256_fmadd_pd(four, pair(1), sum);
        sum = _mm256_fmadd_pd(three, pair(2), sum);
        sum = _mm256_fmadd_pd(two, pair(3), sum);
        _mm256_storeu_pd(y + from, _mm256_mul_pd(sum, _mm256_set1_pd(1.0 / 25)));
    }
    return from;
}
#endif

void smooth(int n, const double *x, double *y) {
    int head = n < 4 ? n : 4, tail = n - 4 > head ? n - 4 : head, at = head;
    for (int i = 0; i < head; ++i) y[i] = edge(n, x, i);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) at = wide(at, tail, x, y);
#endif
    plain(at, tail, x, y);
    for (int i = tail; i < n; ++i) y[i] = edge(n, x, i);
}
