#include <immintrin.h>

void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i += 2)
        for (int j = 0; j < n; j += 8) {
            __m256d c00 = _mm256_setzero_pd(), c01 = _mm256_setzero_pd();
            __m256d c10 = _mm256_setzero_pd(), c11 = _mm256_setzero_pd();
            for (int k = 0; k < n; k++) {
                __m256d b0 = _mm256_loadu_pd(b + k * n + j), b1 = _mm256_loadu_pd(b + k * n + j + 4);
                __m256d a0 = _mm256_broadcast_sd(a + i * n + k), a1 = _mm256_broadcast_sd(a + (i + 1) * n + k);
                c00 = _mm256_fmadd_pd(a0, b0, c00);
                c01 = _mm256_fmadd_pd(a0, b1, c01);
                c10 = _mm256_fmadd_pd(a1, b0, c10);
                c11 = _mm256_fmadd_pd(a1, b1, c11);
            }
            _mm256_storeu_pd(c + i * n + j, c00);
            _mm256_storeu_pd(c + i * n + j + 4, c01);
            _mm256_storeu_pd(c + (i + 1) * n + j, c10);
            _mm256_storeu_pd(c + (i + 1) * n + j + 4, c11);
        }
}
