void stencil(int n, int m, const double *w, const double *x, double *y) {
    for (int i = 0; i + 4 <= n; i += 4) {
        double r0 = 0, r1 = 0, r2 = 0, r3 = 0;
        for (int k = 0; k < m; k++) {
            double f = w[k];
            r0 += f * x[i + k];
            r1 += f * x[i + k + 1];
            r2 += f * x[i + k + 2];
            r3 += f * x[i + k + 3];
        }
        y[i] = r0;
        y[i + 1] = r1;
        y[i + 2] = r2;
        y[i + 3] = r3;
    }
}
