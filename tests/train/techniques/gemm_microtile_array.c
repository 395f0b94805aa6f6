void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i += 4)
        for (int j = 0; j < n; j += 4) {
            double t[16] = {0};
            for (int k = 0; k < n; k++)
                for (int x = 0; x < 4; x++)
                    for (int y = 0; y < 4; y++) t[x * 4 + y] += a[(i + x) * n + k] * b[k * n + j + y];
            for (int x = 0; x < 4; x++)
                for (int y = 0; y < 4; y++) c[(i + x) * n + j + y] = t[x * 4 + y];
        }
}
