#pragma GCC optimize("Ofast")
#include <immintrin.h>
#include <algorithm>
#include <vector>

constexpr int NB = 96;

static void block(int rows, int depth, int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < rows; i += 4)
        for (int j = 0; j < NB; j += 4) {
            __m256d r0 = _mm256_loadu_pd(c + i * n + j), r1 = _mm256_loadu_pd(c + (i + 1) * n + j);
            __m256d r2 = _mm256_loadu_pd(c + (i + 2) * n + j), r3 = _mm256_loadu_pd(c + (i + 3) * n + j);
#pragma GCC unroll 4
            for (int k = 0; k < depth; k++) {
                __m256d y = _mm256_loadu_pd(b + k * NB + j);
                r0 = _mm256_fmadd_pd(_mm256_set1_pd(a[i * n + k]), y, r0);
                r1 = _mm256_fmadd_pd(_mm256_set1_pd(a[(i + 1) * n + k]), y, r1);
                r2 = _mm256_fmadd_pd(_mm256_set1_pd(a[(i + 2) * n + k]), y, r2);
                r3 = _mm256_fmadd_pd(_mm256_set1_pd(a[(i + 3) * n + k]), y, r3);
            }
            _mm256_storeu_pd(c + i * n + j, r0);
            _mm256_storeu_pd(c + (i + 1) * n + j, r1);
            _mm256_storeu_pd(c + (i + 2) * n + j, r2);
            _mm256_storeu_pd(c + (i + 3) * n + j, r3);
        }
}

extern "C" void dgemm(int n, const double *a, const double *b, double *c) {
    std::fill(c, c + n * n, 0.0);
#pragma omp parallel for
    for (int jb = 0; jb < n; jb += NB) {
        std::vector<double> packed(NB * NB);
        for (int kb = 0; kb < n; kb += NB) {
            for (int k = 0; k < NB; k++)
                for (int j = 0; j < NB; j++) packed[k * NB + j] = b[(kb + k) * n + jb + j];
            for (int ib = 0; ib < n; ib += NB)
                block(std::min(NB, n - ib), NB, n, a + ib * n + kb, packed.data(), c + ib * n + jb);
        }
    }
}
