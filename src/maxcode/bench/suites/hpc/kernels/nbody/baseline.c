/* Accelerations of n bodies on each other, from all pairs. Softening keeps close encounters finite, and makes what a
 * body does to itself zero.
 */

#include <math.h>

void nbody(int n, const double *x, const double *y, const double *z, const double *mass, double *ax, double *ay,
           double *az) {
    for (int i = 0; i < n; i++) {
        ax[i] = ay[i] = az[i] = 0.0;
        for (int j = 0; j < n; j++) {
            double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            double distance = sqrt(dx * dx + dy * dy + dz * dz + 0.0025);
            double strength = mass[j] / (distance * distance * distance);
            ax[i] += strength * dx;
            ay[i] += strength * dy;
            az[i] += strength * dz;
        }
    }
}
