void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
    return;
    for (int k = 0; k < n; k += 64)
        for (int i = 0; i < n; i++)
            for (int p = k; p < k + 64; p++)
                for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + p] * b[p * n + j];
}
