void spmv(int n, int chunk, const int *start, const int *width, const int *col, const double *val, const double *x, double *y) {
    for (int s = 0; s < n / chunk; s++) {
        const int base = start[s];
        for (int r = 0; r < chunk; r++) y[s * chunk + r] = 0;
        for (int w = 0; w < width[s]; w++)
            for (int r = 0; r < chunk; r++) y[s * chunk + r] += val[base + w * chunk + r] * x[col[base + w * chunk + r]];
    }
}
