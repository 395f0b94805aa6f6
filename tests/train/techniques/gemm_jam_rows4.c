void dgemm(int n, const double *a, const double *b, double *c) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i += 4) {
            const double *p0 = a + i * n, *p1 = p0 + n, *p2 = p1 + n, *p3 = p2 + n;
            register double x0 = 0.0, x1 = 0.0, x2 = 0.0, x3 = 0.0;
            for (int k = 0; k < n; k++) {
                double y = b[k * n + j];
                x0 = x0 + p0[k] * y;
                x1 = x1 + p1[k] * y;
                x2 = x2 + p2[k] * y;
                x3 = x3 + p3[k] * y;
            }
            c[i * n + j] = x0;
            c[(i + 1) * n + j] = x1;
            c[(i + 2) * n + j] = x2;
            c[(i + 3) * n + j] = x3;
        }
}
