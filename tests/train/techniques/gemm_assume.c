void dgemm(int n, const double *a, const double *b, double *c) {
    const double *x = __builtin_assume_aligned(a, 64), *y = __builtin_assume_aligned(b, 64);
    if (n % 8) __builtin_unreachable();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++) s += x[i * n + k] * y[k * n + j];
            c[i * n + j] = s;
        }
}
