/* The same chains in vector registers. */

#define CHAINS 12
#define LANES 8

typedef double Lanes __attribute__((vector_size(LANES * sizeof(double))));

static void run(long steps, double factor, double term, double *out) {
    Lanes sums[CHAINS];
    for (int i = 0; i < CHAINS; i++) {
        sums[i] = (Lanes){0} + i * term;
    }
    for (long step = 0; step < steps; step++) {
        for (int i = 0; i < CHAINS; i++) {
            sums[i] = sums[i] * factor + term;
        }
    }
    __builtin_memcpy(out, sums, sizeof sums);
}

void peak(int threads, long steps, const double *in, double *out) {
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int thread = 0; thread < threads; thread++) {
        run(steps, in[2 * thread], in[2 * thread + 1], out + thread * CHAINS * LANES);
    }
}
