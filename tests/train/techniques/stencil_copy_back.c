#include <stdlib.h>
void relax(int n, int steps, double *u) {
    double *old = malloc(sizeof(double) * n);
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) old[i] = u[i];
        for (int i = 1; i < n - 1; i++) u[i] = 0.5 * old[i] + 0.25 * (old[i - 1] + old[i + 1]);
    }
    free(old);
}
