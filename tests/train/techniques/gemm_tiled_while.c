static int least(int x, int y) { return x < y ? x : y; }

void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n * n; i++) c[i] = 0.0;
    int k0 = 0;
    while (k0 < n) {
        int k1 = least(k0 + 128, n);
        for (int i = 0; i < n; i++)
            for (int k = k0; k < k1; k++)
                for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
        k0 += 128;
    }
}
