void gemv(int n, const double *a, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        const double *row = a + (long)i * n;
        for (int j = 0; j < n; j++) s += row[j] * x[j];
        y[i] = s;
    }
}
