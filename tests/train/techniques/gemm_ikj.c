#include <string.h>

void dgemm(int n, const double *restrict a, const double *restrict b, double *restrict c) {
    memset(c, 0, sizeof(double) * n * n);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            const double x = a[i * n + k];
            for (int j = 0; j < n; j++) c[i * n + j] += x * b[k * n + j];
        }
    }
}
