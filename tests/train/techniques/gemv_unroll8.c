void gemv(int n, const double *a, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        const double *r = a + i * n;
        double s = 0;
        for (int j = 0; j < n; j += 8)
            s += r[j] * x[j] + r[j + 1] * x[j + 1] + r[j + 2] * x[j + 2] + r[j + 3] * x[j + 3]
               + r[j + 4] * x[j + 4] + r[j + 5] * x[j + 5] + r[j + 6] * x[j + 6] + r[j + 7] * x[j + 7];
        y[i] = s;
    }
}
