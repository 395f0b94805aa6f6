void dgemm(int n, const double *a, const double *b, double *c) {
    const int bs = 64;
    for (int i = 0; i < n * n; i++) c[i] = 0.0;
    for (int ii = 0; ii < n; ii += bs)
        for (int kk = 0; kk < n; kk += bs)
            for (int jj = 0; jj < n; jj += bs) {
                int ie = ii + bs < n ? ii + bs : n, ke = kk + bs < n ? kk + bs : n, je = jj + bs < n ? jj + bs : n;
                for (int i = ii; i < ie; i++)
                    for (int k = kk; k < ke; k++) {
                        double x = a[i * n + k];
                        for (int j = jj; j < je; j++) c[i * n + j] += x * b[k * n + j];
                    }
            }
}
