#include <immintrin.h>
#include <stdlib.h>
enum { KC = 256, MC = 96, MR = 6, NR = 8 };

static inline void kernel(int kc, const double *a, const double *b, double *c, int ldc) {
    __m256d r[MR][2];
    for (int i = 0; i < MR; i++) r[i][0] = r[i][1] = _mm256_setzero_pd();
    for (int p = 0; p < kc; p++) {
        __m256d b0 = _mm256_load_pd(b + p * NR), b1 = _mm256_load_pd(b + p * NR + 4);
        for (int i = 0; i < MR; i++) {
            __m256d x = _mm256_broadcast_sd(a + p * MR + i);
            r[i][0] = _mm256_fmadd_pd(x, b0, r[i][0]);
            r[i][1] = _mm256_fmadd_pd(x, b1, r[i][1]);
        }
    }
    for (int i = 0; i < MR; i++) {
        _mm256_storeu_pd(c + i * ldc, _mm256_add_pd(_mm256_loadu_pd(c + i * ldc), r[i][0]));
        _mm256_storeu_pd(c + i * ldc + 4, _mm256_add_pd(_mm256_loadu_pd(c + i * ldc + 4), r[i][1]));
    }
}

void dgemm(int n, const double *a, const double *b, double *c) {
    double *bp = aligned_alloc(64, sizeof(double) * KC * n);
    for (int i = 0; i < n * n; i++) c[i] = 0;
    for (int p0 = 0; p0 < n; p0 += KC) {
        int kc = n - p0 < KC ? n - p0 : KC;
        for (int j = 0; j < n; j += NR)
            for (int p = 0; p < kc; p++)
                for (int r = 0; r < NR; r++) bp[j * kc + p * NR + r] = b[(p0 + p) * n + j + r];
#pragma omp parallel for
        for (int i0 = 0; i0 < n; i0 += MC) {
            double ap[MC * KC] __attribute__((aligned(64)));
            int mc = n - i0 < MC ? n - i0 : MC;
            for (int i = 0; i < mc; i += MR)
                for (int p = 0; p < kc; p++)
                    for (int r = 0; r < MR; r++) ap[i * kc + p * MR + r] = a[(i0 + i + r) * n + p0 + p];
            for (int j = 0; j < n; j += NR)
                for (int i = 0; i < mc; i += MR) kernel(kc, ap + i * kc, bp + j * kc, c + (i0 + i) * n + j, n);
        }
    }
    free(bp);
}
