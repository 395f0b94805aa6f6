#include <math.h>
#include <stdlib.h>
void forces(int n, const double *p, double *f) {
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *m = malloc(n * sizeof *m);
    for (int i = 0; i < n; i++) {
        x[i] = p[3 * i];
        y[i] = p[3 * i + 1];
        m[i] = p[3 * i + 2];
    }
    for (int i = 0; i < n; i++) {
        double fx = 0, fy = 0;
        for (int j = 0; j < n; j++) {
            double dx = x[j] - x[i], dy = y[j] - y[i], r = dx * dx + dy * dy + 1e-9;
            fx += m[j] * dx / r;
            fy += m[j] * dy / r;
        }
        f[2 * i] = fx;
        f[2 * i + 1] = fy;
    }
    free(x); free(y); free(m);
}
