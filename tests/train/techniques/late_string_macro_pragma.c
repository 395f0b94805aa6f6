#define PRAGMA(x) _Pragma(#x)
#define HINT(n) PRAGMA(GCC unroll n)
void gemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            PRAGMA(GCC ivdep)
            HINT(4)
            for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}
