template <int MR, int NR>
static void tile(int n, const double *a, const double *b, double *c) {
    double acc[MR][NR] = {};
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < MR; ++i)
            for (int j = 0; j < NR; ++j) acc[i][j] += a[i * n + k] * b[k * n + j];
    for (int i = 0; i < MR; ++i)
        for (int j = 0; j < NR; ++j) c[i * n + j] = acc[i][j];
}
extern "C" void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i += 4)
        for (int j = 0; j < n; j += 8) tile<4, 8>(n, a + i * n, b + j, c + i * n + j);
}
