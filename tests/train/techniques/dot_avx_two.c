#include <immintrin.h>
void dot(int n, const double *x, const double *y, double *out) {
    __m256d s0 = _mm256_setzero_pd(), s1 = _mm256_setzero_pd();
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        s0 = _mm256_fmadd_pd(_mm256_loadu_pd(x + i), _mm256_loadu_pd(y + i), s0);
        s1 = _mm256_fmadd_pd(_mm256_loadu_pd(x + i + 4), _mm256_loadu_pd(y + i + 4), s1);
    }
    double lanes[4], tail = 0;
    _mm256_storeu_pd(lanes, _mm256_add_pd(s0, s1));
    for (; i < n; i++) tail += x[i] * y[i];
    *out = lanes[0] + lanes[1] + lanes[2] + lanes[3] + tail;
}
