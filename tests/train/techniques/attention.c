#include <math.h>
#include <stdlib.h>
void attention(int n, int d, const double *q, const double *k, const double *v, double *o) {
    double *w = malloc(sizeof(double) * n);
    for (int i = 0; i < n; i++) {
        double top = -INFINITY, sum = 0;
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int c = 0; c < d; c++) s += q[i * d + c] * k[j * d + c];
            w[j] = s / sqrt(d);
            if (w[j] > top) top = w[j];
        }
        for (int j = 0; j < n; j++) sum += w[j] = exp(w[j] - top);
        for (int c = 0; c < d; c++) o[i * d + c] = 0;
        for (int j = 0; j < n; j++)
            for (int c = 0; c < d; c++) o[i * d + c] += w[j] / sum * v[j * d + c];
    }
    free(w);
}
