void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i += 2)
        for (int j = 0; j < n; j += 2) {
            double s00 = 0, s01 = 0, s10 = 0, s11 = 0;
            for (int k = 0; k < n; k++) {
                double a0 = a[i * n + k], a1 = a[(i + 1) * n + k];
                double b0 = b[k * n + j], b1 = b[k * n + j + 1];
                s00 += a0 * b0;
                s01 += a0 * b1;
                s10 += a1 * b0;
                s11 += a1 * b1;
            }
            c[i * n + j] = s00;
            c[i * n + j + 1] = s01;
            c[(i + 1) * n + j] = s10;
            c[(i + 1) * n + j + 1] = s11;
        }
}
