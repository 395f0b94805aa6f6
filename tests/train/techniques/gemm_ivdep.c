#include <string.h>
void dgemm(int n, const double *a, const double *b, double *c) {
    memset(c, 0, sizeof(double) * n * n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
#pragma GCC ivdep
            for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
