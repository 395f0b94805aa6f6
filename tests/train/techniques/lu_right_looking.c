void lu(int n, double *a) {
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double f = a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++) a[i * n + j] -= f * a[k * n + j];
        }
}
