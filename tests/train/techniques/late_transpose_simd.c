#include <immintrin.h>
static void four(const double *a, int n, double *b) {
    __m256d r0 = _mm256_loadu_pd(a), r1 = _mm256_loadu_pd(a + n), r2 = _mm256_loadu_pd(a + 2 * n), r3 = _mm256_loadu_pd(a + 3 * n);
    __m256d t0 = _mm256_unpacklo_pd(r0, r1), t1 = _mm256_unpackhi_pd(r0, r1);
    __m256d t2 = _mm256_unpacklo_pd(r2, r3), t3 = _mm256_unpackhi_pd(r2, r3);
    _mm256_storeu_pd(b, _mm256_permute2f128_pd(t0, t2, 0x20));
    _mm256_storeu_pd(b + n, _mm256_permute2f128_pd(t1, t3, 0x20));
    _mm256_storeu_pd(b + 2 * n, _mm256_permute2f128_pd(t0, t2, 0x31));
    _mm256_storeu_pd(b + 3 * n, _mm256_permute2f128_pd(t1, t3, 0x31));
}
void transpose(int n, const double *a, double *b) {
    for (int i0 = 0; i0 < n; i0 += 64)
        for (int j0 = 0; j0 < n; j0 += 64)
            for (int i = i0; i < i0 + 64; i += 4)
                for (int j = j0; j < j0 + 64; j += 4) four(a + i * n + j, n, b + j * n + i);
}
