void gemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n * n; i++) c[i] = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k += 4) {
            const double a0 = a[i * n + k], a1 = a[i * n + k + 1], a2 = a[i * n + k + 2], a3 = a[i * n + k + 3];
            const double *b0 = b + k * n, *b1 = b0 + n, *b2 = b1 + n, *b3 = b2 + n;
            for (int j = 0; j < n; j++) c[i * n + j] += a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
        }
}
