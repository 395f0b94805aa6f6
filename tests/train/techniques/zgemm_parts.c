void zgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double re = 0, im = 0;
            for (int k = 0; k < n; k++) {
                const double *x = a + 2 * (i * n + k), *y = b + 2 * (k * n + j);
                re += x[0] * y[0] - x[1] * y[1];
                im += x[0] * y[1] + x[1] * y[0];
            }
            c[2 * (i * n + j)] = re;
            c[2 * (i * n + j) + 1] = im;
        }
}
