void gemm(int n, double a[n][n], double b[n][n], double c[n][n]) {
    int bsize = 32, i, j, k, kk, jj;
    double sum;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) c[i][j] = 0.0;
    for (kk = 0; kk < n; kk += bsize)
        for (jj = 0; jj < n; jj += bsize)
            for (i = 0; i < n; i++)
                for (j = jj; j < jj + bsize; j++) {
                    sum = c[i][j];
                    for (k = kk; k < kk + bsize; k++) sum += a[i][k] * b[k][j];
                    c[i][j] = sum;
                }
}
