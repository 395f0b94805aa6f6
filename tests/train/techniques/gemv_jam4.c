void gemv(int n, const double *a, const double *x, double *y) {
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (int j = 0; j < n; j++) {
            s0 += a[(i + 0) * n + j] * x[j];
            s1 += a[(i + 1) * n + j] * x[j];
            s2 += a[(i + 2) * n + j] * x[j];
            s3 += a[(i + 3) * n + j] * x[j];
        }
        y[i] = s0; y[i + 1] = s1; y[i + 2] = s2; y[i + 3] = s3;
    }
    for (; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++) s += a[i * n + j] * x[j];
        y[i] = s;
    }
}
