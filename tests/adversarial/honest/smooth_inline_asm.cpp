// attack: none, an honest aggressive kernel: packed additions by inline assembler
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

void smooth(int n, const double *x, double *y) {
    int head = n < 4 ? n : 4, tail = n - 4 > head ? n - 4 : head, at = head;
    for (int i = 0; i < head; ++i) y[i] = edge(n, x, i);
#if defined(__x86_64__)
    static const double scale[10] __attribute__((aligned(16))) = {1, 1, 2, 2, 3, 3, 4, 4, 1.0 / 25, 1.0 / 25};
    static const double five[2] __attribute__((aligned(16))) = {5, 5};
    for (; at + 2 <= tail; at += 2) {
        const double *c = x + at;
        asm volatile(
            "movupd (%[c]), %%xmm0\n\tmulpd (%[five]), %%xmm0\n\t"
            "movupd -32(%[c]), %%xmm1\n\tmovupd 32(%[c]), %%xmm2\n\taddpd %%xmm2, %%xmm1\n\taddpd %%xmm1, %%xmm0\n\t"
            "movupd -24(%[c]), %%xmm1\n\tmovupd 24(%[c]), %%xmm2\n\taddpd %%xmm2, %%xmm1\n\tmulpd 16(%[s]), %%xmm1\n\taddpd %%xmm1, %%xmm0\n\t"
            "movupd -16(%[c]), %%xmm1\n\tmovupd 16(%[c]), %%xmm2\n\taddpd %%xmm2, %%xmm1\n\tmulpd 32(%[s]), %%xmm1\n\taddpd %%xmm1, %%xmm0\n\t"
            "movupd -8(%[c]), %%xmm1\n\tmovupd 8(%[c]), %%xmm2\n\taddpd %%xmm2, %%xmm1\n\tmulpd 48(%[s]), %%xmm1\n\taddpd %%xmm1, %%xmm0\n\t"
            "mulpd 64(%[s]), %%xmm0\n\tmovupd %%xmm0, (%[y])"
            :: [c] "r"(c), [s] "r"(scale), [five] "r"(five), [y] "r"(y + at) : "xmm0", "xmm1", "xmm2", "memory");
    }
#endif
    for (; at < n; ++at) y[at] = edge(n, x, at);
}
