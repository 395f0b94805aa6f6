/* As many multiply-adds per second as a processor can do without vector registers: chains that depend on nothing but
 * themselves, enough of them at a time to fill its pipelines. Each thread has its own.
 */

#define CHAINS 12
#define LANES 8

static void run(long steps, double factor, double term, double *out) {
    double sums[CHAINS];
    for (int i = 0; i < CHAINS; i++) {
        sums[i] = i * term;
    }
    for (long step = 0; step < steps; step++) {
        for (int i = 0; i < CHAINS; i++) {
            sums[i] = sums[i] * factor + term;
        }
    }
    for (int i = 0; i < CHAINS; i++) {
        out[i * LANES] = sums[i];
    }
}

void peak(int threads, long steps, const double *in, double *out) {
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int thread = 0; thread < threads; thread++) {
        for (int lane = 0; lane < LANES; lane++) {
            run(steps, in[2 * thread], in[2 * thread + 1], out + thread * CHAINS * LANES + lane);
        }
    }
}
