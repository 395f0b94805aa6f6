void stencil(int n, const double *u, double *v) {
    const int t = 16;
    long nn = (long)n * n;
#pragma omp parallel for collapse(2)
    for (int k0 = 1; k0 < n - 1; k0 += t)
        for (int j0 = 1; j0 < n - 1; j0 += t) {
            int k1 = k0 + t > n - 1 ? n - 1 : k0 + t;
            int j1 = j0 + t > n - 1 ? n - 1 : j0 + t;
            for (int k = k0; k < k1; k++)
                for (int j = j0; j < j1; j++)
                    for (int i = 1; i < n - 1; i++) {
                        long p = k * nn + j * n + i;
                        v[p] = u[p - 1] + u[p + 1] + u[p - n] + u[p + n] + u[p - nn] + u[p + nn] - 6 * u[p];
                    }
        }
}
