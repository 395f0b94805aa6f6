#define TS 40
#define LESS(x, y) ((x) < (y) ? (x) : (y))
void dgemm(int n, const double *a, const double *b, double *c) {
    static double tile[TS][TS];
    for (int i = 0; i < n * n; i++) c[i] = 0;
    for (int kk = 0; kk < n; kk += TS)
        for (int jj = 0; jj < n; jj += TS) {
            int kl = LESS(TS, n - kk), jl = LESS(TS, n - jj);
            for (int k = 0; k < kl; k++)
                for (int j = 0; j < jl; j++) tile[k][j] = b[(kk + k) * n + jj + j];
            for (int i = 0; i < n; i++)
                for (int k = 0; k < kl; k++)
                    for (int j = 0; j < jl; j++) c[i * n + jj + j] += a[i * n + kk + k] * tile[k][j];
        }
}
