#include <math.h>
void forces(int n, const double *p, double *f) {
    for (int i = 0; i < n; i++) {
        double ax = 0, ay = 0, az = 0;
        for (int j = 0; j < n; j++) {
            double dx = p[4 * j] - p[4 * i], dy = p[4 * j + 1] - p[4 * i + 1], dz = p[4 * j + 2] - p[4 * i + 2];
            double r = dx * dx + dy * dy + dz * dz + 1e-9;
            double w = p[4 * j + 3] / (r * sqrt(r));
            ax += w * dx;
            ay += w * dy;
            az += w * dz;
        }
        f[3 * i] = ax;
        f[3 * i + 1] = ay;
        f[3 * i + 2] = az;
    }
}
