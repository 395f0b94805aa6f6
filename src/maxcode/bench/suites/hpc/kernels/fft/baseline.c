/* Forward discrete Fourier transforms of `batch` rows of n complex numbers, each a real and an imaginary double.
 * n is 2^stages.
 */

#include <math.h>

static void transform(int n, int stages, const double *in, double *out) {
    for (int i = 0; i < n; i++) {
        int reversed = 0;
        for (int bit = 0; bit < stages; bit++) {
            reversed |= ((i >> bit) & 1) << (stages - 1 - bit);
        }
        out[2 * reversed] = in[2 * i];
        out[2 * reversed + 1] = in[2 * i + 1];
    }
    for (int half = 1; half < n; half *= 2) {
        for (int start = 0; start < n; start += 2 * half) {
            for (int i = 0; i < half; i++) {
                double angle = -M_PI * i / half;
                double wr = cos(angle), wi = sin(angle);
                double *a = out + 2 * (start + i), *b = a + 2 * half;
                double re = b[0] * wr - b[1] * wi, im = b[0] * wi + b[1] * wr;
                b[0] = a[0] - re;
                b[1] = a[1] - im;
                a[0] += re;
                a[1] += im;
            }
        }
    }
}

void fft(int n, int stages, int batch, const double *in, double *out) {
    for (int row = 0; row < batch; row++) {
        transform(n, stages, in + 2L * n * row, out + 2L * n * row);
    }
}
