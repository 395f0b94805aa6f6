void spmv(int n, int nz, const int *start, const int *column, const double *value, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++) s += value[p] * x[column[p]];
        y[i] = s;
    }
}
