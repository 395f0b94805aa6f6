#include <immintrin.h>
#include <omp.h>
/* Later: #pragma omp parallel for, _mm256_fmadd_pd, cblas_dgemm and 64 x 64 blocks. */
static const char *about = "uses __m256d and omp_get_max_threads()";

const char *dgemm_about(void) { return about; }

void dgemm(int n, const double *a, const double *b, double *c) {
    // _mm256_loadu_pd(a); for (int ii = 0; ii < n; ii += 64)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) c[i * n + j] = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
