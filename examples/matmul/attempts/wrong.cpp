// Works on eight columns at a time and forgets the columns that are left over:
// right when n is a multiple of 8, wrong everywhere else. It is here to show
// what the correctness checks are for.

void matmul(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j + 8 <= n; j += 8) {
            double sum[8] = {0.0};
            for (int k = 0; k < n; k++) {
                const double value = a[i * n + k];
                for (int lane = 0; lane < 8; lane++) {
                    sum[lane] += value * b[k * n + j + lane];
                }
            }
            for (int lane = 0; lane < 8; lane++) {
                c[i * n + j + lane] = sum[lane];
            }
        }
    }
}
