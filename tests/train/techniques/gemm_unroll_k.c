void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            int k = 0;
            for (; k + 3 < n; k += 4) {
                s += a[i * n + k] * b[k * n + j];
                s += a[i * n + k + 1] * b[(k + 1) * n + j];
                s += a[i * n + k + 2] * b[(k + 2) * n + j];
                s += a[i * n + k + 3] * b[(k + 3) * n + j];
            }
            for (; k < n; k++) s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}
