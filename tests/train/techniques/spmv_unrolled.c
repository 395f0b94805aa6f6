void spmv(int n, int nz, const int *start, const int *column, const double *value, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double s = 0, t = 0;
        int p = start[i], last = start[i + 1];
        for (; p + 1 < last; p += 2) {
            s += value[p] * x[column[p]];
            t += value[p + 1] * x[column[p + 1]];
        }
        if (p < last) s += value[p] * x[column[p]];
        y[i] = s + t;
    }
}
