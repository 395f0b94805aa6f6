#include <stdlib.h>
void dgemm(int n, const double *a, const double *b, double *c) {
    double *t = malloc(sizeof(double) * n * n);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) t[j * n + k] = b[k * n + j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++) s += a[i * n + k] * t[j * n + k];
            c[i * n + j] = s;
        }
    free(t);
}
