static void multiply(int m, int p, int q, int n, const double *a, const double *b, double *c) {
    if (m <= 32 && p <= 32 && q <= 32) {
        for (int i = 0; i < m; i++)
            for (int k = 0; k < q; k++)
                for (int j = 0; j < p; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
    } else if (m >= p && m >= q) {
        multiply(m / 2, p, q, n, a, b, c);
        multiply(m - m / 2, p, q, n, a + m / 2 * n, b, c + m / 2 * n);
    } else if (p >= q) {
        multiply(m, p / 2, q, n, a, b, c);
        multiply(m, p - p / 2, q, n, a, b + p / 2, c + p / 2);
    } else {
        multiply(m, p, q / 2, n, a, b, c);
        multiply(m, p, q - q / 2, n, a + q / 2, b + q / 2 * n, c);
    }
}
void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n * n; i++) c[i] = 0;
    multiply(n, n, n, n, a, b, c);
}
