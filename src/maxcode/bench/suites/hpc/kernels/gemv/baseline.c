/* y = a * x: a has m x n doubles, stored row by row. */

void gemv(int m, int n, const double *a, const double *x, double *y) {
    for (int i = 0; i < m; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            sum += a[i * n + j] * x[j];
        }
        y[i] = sum;
    }
}
