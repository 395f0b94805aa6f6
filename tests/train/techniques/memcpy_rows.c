#include <string.h>
void dgemm(int n, const double *a, const double *b, double *c) {
    double panel[64][512];
    for (int i = 0; i < n * n; i++) c[i] = 0;
    for (int j = 0; j < n / 512; j++) {
        for (int k = 0; k < 64; k++) memcpy(panel[k], b + k * n + j * 512, sizeof(panel[k]));
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 64; k++)
                for (int l = 0; l < 512; l++) c[i * n + j * 512 + l] += a[i * n + k] * panel[k][l];
    }
}
