#include <stdlib.h>
#include <math.h>
void fft(int n, const int *order, const double *in, double *out) {
    double *work = malloc(sizeof(double) * n);
    for (int i = 0; i < n; i++) work[i] = in[order[i]];
    for (int half = 1; half < n; half *= 2)
        for (int i = 0; i < n; i += 2 * half)
            for (int k = i; k < i + half; k++) {
                double t = work[k + half];
                work[k + half] = work[k] - t;
                work[k] += t;
            }
    for (int i = 0; i < n; i++) out[i] = work[i];
    free(work);
}
