#include <math.h>
#define CHUNK 512
void forces(int n, const double *x, const double *m, double *f) {
    for (int i = 0; i < n; i++) f[i] = 0;
    for (int jb = 0; jb < n; jb += CHUNK) {
        const int je = jb + CHUNK <= n ? jb + CHUNK : n;
        for (int i = 0; i < n; i++) {
            double s = 0;
            for (int j = jb; j < je; j++) {
                double d = x[j] - x[i];
                s += m[j] * d / (fabs(d * d * d) + 1e-9);
            }
            f[i] += s;
        }
    }
}
