void gemv(int n, int width, const double *a, const double *x, double *y) {
    for (int i = 0; i < n; i++) y[i] = 0;
    for (int from = 0; from < n; from += width) {
        int to = from + width;
        if (to > n) to = n;
        for (int i = 0; i < n; i++)
            for (int j = from; j < to; j++) y[i] += a[i * n + j] * x[j];
    }
}
