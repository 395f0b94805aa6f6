#include <immintrin.h>

static void row_avx(int n, double x, const double *b, double *c) {
    for (int j = 0; j < n; j += 4)
        _mm256_storeu_pd(c + j, _mm256_fmadd_pd(_mm256_set1_pd(x), _mm256_loadu_pd(b + j), _mm256_loadu_pd(c + j)));
}

static void all_rows_avx(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) row_avx(n, a[i * n + k], b + k * n, c + i * n);
}

void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n * n; i++) c[i] = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
