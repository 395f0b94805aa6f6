#include <mmintrin.h>
#include <emmintrin.h>
typedef union { __m128d v; double d[2]; } v2df_t;
void gemm(int n, const double *a, const double *b, double *c) {
    int i, j, p;
    for (j = 0; j < n; j += 4)
        for (i = 0; i < n; i += 2) {
            v2df_t c0, c1, c2, c3, ap, bp;
            c0.v = c1.v = c2.v = c3.v = _mm_setzero_pd();
            for (p = 0; p < n; p++) {
                ap.v = _mm_loadu_pd(a + p * n + i);
                bp.v = _mm_set1_pd(b[j * n + p]);
                c0.v += ap.v * bp.v;
                c1.v += ap.v * _mm_set1_pd(b[(j + 1) * n + p]);
                c2.v += ap.v * _mm_set1_pd(b[(j + 2) * n + p]);
                c3.v += ap.v * _mm_set1_pd(b[(j + 3) * n + p]);
            }
            c[j * n + i] = c0.d[0]; c[j * n + i + 1] = c0.d[1];
            c[(j + 1) * n + i] = c1.d[0]; c[(j + 1) * n + i + 1] = c1.d[1];
            c[(j + 2) * n + i] = c2.d[0]; c[(j + 2) * n + i + 1] = c2.d[1];
            c[(j + 3) * n + i] = c3.d[0]; c[(j + 3) * n + i + 1] = c3.d[1];
        }
}
