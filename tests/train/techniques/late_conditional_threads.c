#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_max_threads(void) { return 1; }
#endif
void gemm(int n, const double *a, const double *b, double *c) {
#ifdef _OPENMP
#pragma omp parallel for num_threads(omp_get_max_threads()) if (n > 64)
#endif
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}
