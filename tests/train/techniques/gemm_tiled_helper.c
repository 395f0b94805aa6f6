enum { TILE = 64 };

static void block(int n, int m, int p, int q, const double *a, const double *b, double *c) {
    for (int i = 0; i < m; i++)
        for (int k = 0; k < q; k++)
            for (int j = 0; j < p; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n * n; i++) c[i] = 0.0;
    for (int i = 0; i < n; i += TILE)
        for (int k = 0; k < n; k += TILE)
            for (int j = 0; j < n; j += TILE) {
                int m = n - i < TILE ? n - i : TILE, q = n - k < TILE ? n - k : TILE, p = n - j < TILE ? n - j : TILE;
                block(n, m, p, q, a + i * n + k, b + k * n + j, c + i * n + j);
            }
}
