/* out = softmax(q * transpose(k) / sqrt(d)) * v, row by row; q, k, v and out have n rows of d doubles. */

#include <math.h>
#include <stdlib.h>

void attention(int n, int d, const double *q, const double *k, const double *v, double *out) {
    double *weights = malloc(n * sizeof(double));
    if (weights == NULL) {
        abort();
    }
    for (int i = 0; i < n; i++) {
        double largest = -INFINITY, total = 0.0;
        for (int j = 0; j < n; j++) {
            double dot = 0.0;
            for (int c = 0; c < d; c++) {
                dot += q[i * d + c] * k[j * d + c];
            }
            weights[j] = dot / sqrt(d);
            largest = fmax(largest, weights[j]);
        }
        for (int j = 0; j < n; j++) {
            weights[j] = exp(weights[j] - largest);
            total += weights[j];
        }
        for (int c = 0; c < d; c++) {
            double sum = 0.0;
            for (int j = 0; j < n; j++) {
                sum += weights[j] * v[j * d + c];
            }
            out[i * d + c] = sum / total;
        }
    }
    free(weights);
}
