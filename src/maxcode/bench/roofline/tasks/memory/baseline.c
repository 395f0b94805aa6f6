/* Sums of n doubles, n a multiple of 64, one after the other: what `fastest.c` is compared with. */

void memory(int threads, long n, const double *in, double *out) {
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int thread = 0; thread < threads; thread++) {
        double total = 0.0;
        for (long at = 0; at < n; at++) {
            total += in[thread * n + at];
        }
        out[thread] = total;
    }
}
