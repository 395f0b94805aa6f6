#define TI 32
#define TJ 256
static inline int min(int a, int b) { return a < b ? a : b; }
void stencil(int n, const double *u, double *v) {
    for (int i0 = 1; i0 < n - 1; i0 += TI)
        for (int j0 = 1; j0 < n - 1; j0 += TJ)
            for (int i = i0; i < min(i0 + TI, n - 1); i++)
                for (int j = j0; j < min(j0 + TJ, n - 1); j++)
                    v[i * n + j] = u[i * n + j] + u[i * n + j - 1] + u[i * n + j + 1] + u[(i - 1) * n + j] + u[(i + 1) * n + j];
}
