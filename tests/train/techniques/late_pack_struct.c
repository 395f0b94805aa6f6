#include <stdlib.h>
#include <string.h>
typedef struct { double *a; int k; } Panel;
static Panel make_panel(const double *a, int lda, int rows, int k) {
    Panel p = {malloc(sizeof(double) * rows * k), k};
    for (int r = 0; r < rows; ++r) memcpy(p.a + r * k, a + r * lda, k * sizeof(double));
    return p;
}
void gemm(int n, const double *a, const double *b, double *c) {
    memset(c, 0, sizeof(double) * n * n);
    for (int i = 0; i < n; i += 96) {
        int rows = n - i > 96 ? 96 : n - i;
        Panel p = make_panel(a + i * n, n, rows, n);
        for (int r = 0; r < rows; ++r)
            for (int k = 0; k < n; ++k)
                for (int j = 0; j < n; ++j) c[(i + r) * n + j] += p.a[r * p.k + k] * b[k * n + j];
        free(p.a);
    }
}
