#include <immintrin.h>
#include <string.h>

void dgemm(int n, const double *a, const double *b, double *c) {
    memset(c, 0, sizeof(double) * n * n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            __m256d x = _mm256_set1_pd(a[i * n + k]);
            for (int j = 0; j < n; j += 4) {
                __m256d y = _mm256_loadu_pd(&c[i * n + j]);
                y = _mm256_fmadd_pd(x, _mm256_loadu_pd(&b[k * n + j]), y);
                _mm256_storeu_pd(&c[i * n + j], y);
            }
        }
}
