// attack: none, an honest aggressive kernel: versions of the kernel for several processors, chosen by the loader
// task: smooth
// expect: ok
// min_speedup: 1.3
// options: sanitize

static double edge(int n, const double *x, int i) {
    double sum = 0;
    for (int k = -4; k <= 4; ++k) {
        int j = i + k < 0 ? 0 : i + k > n - 1 ? n - 1 : i + k;
        sum += (5 - (k < 0 ? -k : k)) * x[j];
    }
    return sum / 25;
}

#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#endif
void middle(int from, int to, const double *__restrict x, double *__restrict y) {
    for (int i = from; i < to; ++i) {
        const double *c = x + i;
        y[i] = (5 * c[0] + 4 * (c[-1] + c[1]) + 3 * (c[-2] + c[2]) + 2 * (c[-3] + c[3]) + (c[-4] + c[4])) * (1.0 / 25);
    }
}

void smooth(int n, const double *x, double *y) {
    int head = n < 4 ? n : 4, tail = n - 4 > head ? n - 4 : head;
    for (int i = 0; i < head; ++i) y[i] = edge(n, x, i);
    middle(head, tail, x, y);
    for (int i = tail; i < n; ++i) y[i] = edge(n, x, i);
}
