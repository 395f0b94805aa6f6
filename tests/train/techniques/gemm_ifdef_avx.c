#ifdef __AVX__
#include <immintrin.h>
#endif
void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j += 4) {
#ifdef __AVX__
            __m256d s = _mm256_setzero_pd();
            for (int k = 0; k < n; k++)
                s = _mm256_add_pd(s, _mm256_mul_pd(_mm256_set1_pd(a[i * n + k]), _mm256_loadu_pd(b + k * n + j)));
            _mm256_storeu_pd(c + i * n + j, s);
#else
            for (int l = j; l < j + 4; l++) {
                double s = 0;
                for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + l];
                c[i * n + l] = s;
            }
#endif
        }
}
