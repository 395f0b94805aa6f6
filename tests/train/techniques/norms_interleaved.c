#include <math.h>
void norms(int n, const double *p, double *out) {
    for (int i = 0; i < 3 * n; i += 3) {
        double x = p[i], y = p[i + 1], z = p[i + 2];
        out[i / 3] = sqrt(x * x + y * y + z * z);
    }
}
