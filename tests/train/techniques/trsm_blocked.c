#define NB 48
void trsm(int n, int m, const double *l, double *x) {
    for (int k0 = 0; k0 < n; k0 += NB) {
        int k1 = k0 + NB; if (k1 > n) k1 = n;
        for (int i = k0; i < k1; i++)
            for (int c = 0; c < m; c++) {
                for (int k = k0; k < i; k++) x[i * m + c] -= l[i * n + k] * x[k * m + c];
                x[i * m + c] /= l[i * n + i];
            }
        for (int i = k1; i < n; i++)
            for (int k = k0; k < k1; k++)
                for (int c = 0; c < m; c++) x[i * m + c] -= l[i * n + k] * x[k * m + c];
    }
}
