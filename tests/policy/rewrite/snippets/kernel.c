#include <math.h>
#include <stddef.h>

void gemm(const float *a, const float *b, float *c, int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int k = 0; k < n; k++) {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

void stencil(double *restrict out, const double *in, size_t n, int steps) {
    for (int s = 0; s < steps; ++s) {
        for (size_t i = 1; i + 1 < n; ++i) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.0;
        for (size_t i = 1; i < n - 1; ++i) ((double *)in)[i] = out[i];
    }
}

double norm(const double *x, int n) {
    double s = 0;
    for (int i = n - 1; i >= 0; --i) s = s + pow(x[i], 2);
    return sqrt(s);
}

int find(const int *x, int n, int wanted) {
    int found = -1;
    for (int i = 0; i < n; i++)
        if (x[i] == wanted) found = i;
    return found;
}

void histogram(const unsigned char *data, size_t n, unsigned counts[256]) {
    size_t i;
    for (i = 0; i < 256; i++) counts[i] = 0;
    for (i = 0; i < n; i++) counts[data[i]]++;
}
