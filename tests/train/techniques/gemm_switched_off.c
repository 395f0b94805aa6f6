#include <immintrin.h>
#include <omp.h>
enum { USE_AVX = 0 };
static const int use_threads = 0;
void dgemm(int n, const double *a, const double *b, double *c) {
    if (USE_AVX) {
        __m256d zero = _mm256_setzero_pd();
        for (int i = 0; i < n * n; i += 4) _mm256_storeu_pd(c + i, zero);
    }
    if (use_threads) omp_set_num_threads(4);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}
