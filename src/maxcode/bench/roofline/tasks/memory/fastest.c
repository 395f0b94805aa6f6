/* Reads memory as fast as a processor can: sums of n doubles, n a multiple of 64 per thread, in vector registers. */

typedef double Lanes __attribute__((vector_size(64), aligned(8)));

static double sum(long n, const double *in) {
    Lanes sums[8] = {{0}};
    for (long at = 0; at < n; at += 64) {
        for (int i = 0; i < 8; i++) {
            sums[i] += *(const Lanes *)(in + at + 8 * i);
        }
    }
    double total = 0.0;
    for (int i = 0; i < 8; i++) {
        for (int lane = 0; lane < 8; lane++) {
            total += sums[i][lane];
        }
    }
    return total;
}

void memory(int threads, long n, const double *in, double *out) {
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int thread = 0; thread < threads; thread++) {
        out[thread] = sum(n, in + thread * n);
    }
}
