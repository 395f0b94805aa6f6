void conv(int n, const double *w, const double *in, double *out) {
    double local[9];
    for (int i = 0; i < 9; i++) local[i] = w[i];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            double s = 0;
            for (int y = 0; y < 3; y++)
                for (int x = 0; x < 3; x++) s += local[y * 3 + x] * in[(i + y - 1) * n + j + x - 1];
            out[i * n + j] = s;
        }
}
