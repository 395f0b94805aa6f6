#define BLOCK 48
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define BLOCKS(v) for (int v##0 = 0; v##0 < n; v##0 += BLOCK)
#define WITHIN(v) for (int v = v##0; v < MIN(v##0 + BLOCK, n); ++v)

void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n * n; i++) c[i] = 0.0;
    BLOCKS(i) BLOCKS(k) BLOCKS(j)
        WITHIN(i) WITHIN(k) WITHIN(j)
            c[i * n + j] += a[i * n + k] * b[k * n + j];
}
