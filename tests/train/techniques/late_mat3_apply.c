void apply(int n, const double *m, const double *in, double *out) {
    for (int i = 0; i < n; i++) {
        double r[3] = {0, 0, 0};
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) r[a] += m[a * 3 + b] * in[i * 3 + b];
        for (int a = 0; a < 3; a++) out[i * 3 + a] = r[a];
    }
}
