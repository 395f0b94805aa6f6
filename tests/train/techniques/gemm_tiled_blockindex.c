#define B 32

void dgemm(int n, const double *a, const double *b, double *c) {
    int blocks = (n + B - 1) / B;
    for (int i = 0; i < n * n; i++) c[i] = 0.0;
    for (int bi = 0; bi < blocks; bi++)
        for (int bk = 0; bk < blocks; bk++) {
            int ilast = (bi + 1) * B < n ? (bi + 1) * B : n;
            int klast = (bk + 1) * B < n ? (bk + 1) * B : n;
            for (int i = bi * B; i < ilast; i++)
                for (int k = bk * B; k < klast; k++)
                    for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
}
