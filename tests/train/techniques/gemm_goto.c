#include <stdlib.h>
#define MC 64
#define KC 128
#define MR 4
#define NR 4

static void pack_a(int m, int k, const double *a, int lda, double *out) {
    for (int i = 0; i < m; i += MR)
        for (int p = 0; p < k; p++)
            for (int r = 0; r < MR; r++) *out++ = a[(i + r) * lda + p];
}

static void pack_b(int k, int n, const double *b, int ldb, double *out) {
    for (int j = 0; j < n; j += NR)
        for (int p = 0; p < k; p++)
            for (int r = 0; r < NR; r++) *out++ = b[p * ldb + j + r];
}

static void micro(int k, const double *a, const double *b, double *c, int ldc) {
    double acc[MR][NR] = {{0}};
    for (int p = 0; p < k; p++)
        for (int i = 0; i < MR; i++)
            for (int j = 0; j < NR; j++) acc[i][j] += a[p * MR + i] * b[p * NR + j];
    for (int i = 0; i < MR; i++)
        for (int j = 0; j < NR; j++) c[i * ldc + j] += acc[i][j];
}

void dgemm(int n, const double *a, const double *b, double *c) {
    double *pa = aligned_alloc(64, sizeof(double) * MC * KC), *pb = aligned_alloc(64, sizeof(double) * KC * n);
    for (int i = 0; i < n * n; i++) c[i] = 0;
    for (int p = 0; p < n; p += KC) {
        int kc = n - p < KC ? n - p : KC;
        pack_b(kc, n, b + p * n, n, pb);
        for (int i = 0; i < n; i += MC) {
            int mc = n - i < MC ? n - i : MC;
            pack_a(mc, kc, a + i * n + p, n, pa);
            for (int j = 0; j < n; j += NR)
                for (int r = 0; r < mc; r += MR) micro(kc, pa + r * kc, pb + j * kc, c + (i + r) * n + j, n);
        }
    }
    free(pa);
    free(pb);
}
