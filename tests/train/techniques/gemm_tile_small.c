void dgemm(int n, const double *a, const double *b, double *c) {
    int i, j, k, i0, j0, k0;
    for (i = 0; i < n * n; i++) c[i] = 0.0;
    for (i0 = 0; i0 < n; i0 += 8)
        for (j0 = 0; j0 < n; j0 += 8)
            for (k0 = 0; k0 < n; k0 += 8)
                for (i = i0; i < i0 + 8; i++)
                    for (j = j0; j < j0 + 8; j++)
                        for (k = k0; k < k0 + 8; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
