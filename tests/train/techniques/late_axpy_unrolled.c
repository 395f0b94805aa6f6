void axpy(int n, double alpha, const double *x, double *y) {
    int m = n & ~3, i;
    for (i = 0; i < m; i += 4) {
        y[i] += alpha * x[i];
        y[i + 1] += alpha * x[i + 1];
        y[i + 2] += alpha * x[i + 2];
        y[i + 3] += alpha * x[i + 3];
    }
    for (; i < n; ++i) y[i] += alpha * x[i];
}
