#define FAST 0
#if 0
#include <cblas.h>
#endif
void dgemm(int n, const double *a, const double *b, double *c) {
#if FAST && defined(__AVX2__)
    for (int i = 0; i < n; i += 4) { __m256d x = _mm256_setzero_pd(); _mm256_storeu_pd(c + i, x); }
#elif defined(WITH_THREADS)
#pragma omp parallel for
#endif
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}
