// Gravitational accelerations of n bodies on each other, every pair visited.
// A small softening length keeps close encounters finite.

#include <cmath>

void nbody(int n, const double *x, const double *y, const double *z,
           const double *mass, double *ax, double *ay, double *az) {
    const double gravity = 1.0;
    const double softening = 0.05;

    for (int i = 0; i < n; i++) {
        ax[i] = 0.0;
        ay[i] = 0.0;
        az[i] = 0.0;
        for (int j = 0; j < n; j++) {
            if (i == j) {
                continue;
            }
            double dx = x[j] - x[i];
            double dy = y[j] - y[i];
            double dz = z[j] - z[i];
            double distance = std::sqrt(dx * dx + dy * dy + dz * dz
                                        + softening * softening);
            double strength = gravity * mass[j] / std::pow(distance, 3);
            ax[i] += strength * dx;
            ay[i] += strength * dy;
            az[i] += strength * dz;
        }
    }
}
