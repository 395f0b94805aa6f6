enum { R = 4 };
void gemv(int n, const double *a, const double *x, double *y) {
    for (int i = 0; i < n; i += R) {
        double s[R] = {0};
        for (int j = 0; j < n; j++)
            for (int r = 0; r < R; r++) s[r] += a[(i + r) * n + j] * x[j];
        for (int r = 0; r < R; r++) y[i + r] = s[r];
    }
}
