void gemv(int n, const double *a, const double *x, double *y) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
#pragma GCC ivdep
        for (int j = 0; j < n; j++) s += a[i * n + j] * x[j];
        y[i] = s;
    }
}
