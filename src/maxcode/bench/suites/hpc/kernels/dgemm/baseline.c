/* c = a * b: a has m x k, b k x n and c m x n doubles, stored row by row. */

void dgemm(int m, int n, int k, const double *a, const double *b, double *c) {
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int p = 0; p < k; p++) {
                sum += a[i * k + p] * b[p * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}
