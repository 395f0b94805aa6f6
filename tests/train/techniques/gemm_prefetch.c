void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n * n; i++) c[i] = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            __builtin_prefetch(b + (k + 1) * n);
            if (__builtin_expect(n < 1, 0)) return;
            for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
}
