#include <immintrin.h>
#define ROW(r) \
    x = _mm256_broadcast_ss(a + (r) * lda + p); \
    acc##r##0 = _mm256_fmadd_ps(x, b0, acc##r##0); \
    acc##r##1 = _mm256_fmadd_ps(x, b1, acc##r##1);
#define ZERO(r) __m256 acc##r##0 = _mm256_setzero_ps(), acc##r##1 = _mm256_setzero_ps();
#define OUT(r) \
    _mm256_storeu_ps(c + (r) * ldc, acc##r##0); \
    _mm256_storeu_ps(c + (r) * ldc + 8, acc##r##1);
#define ALL(M) M(0) M(1) M(2) M(3) M(4) M(5)
static void micro(int k, const float *a, int lda, const float *b, int ldb, float *c, int ldc) {
    ALL(ZERO)
    for (int p = 0; p < k; ++p) {
        __m256 x, b0 = _mm256_loadu_ps(b + p * ldb), b1 = _mm256_loadu_ps(b + p * ldb + 8);
        ALL(ROW)
    }
    ALL(OUT)
}
void sgemm(int n, const float *a, const float *b, float *c) {
    for (int i = 0; i < n; i += 6)
        for (int j = 0; j < n; j += 16) micro(n, a + i * n, n, b + j, n, c + i * n + j, n);
}
