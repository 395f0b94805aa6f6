void dot(int n, const double *x, const double *y, double *out) {
    double s = 0;
#pragma omp parallel for reduction(+ : s) \
    schedule(static)
    for (int i = 0; i < n; i++) s += x[i] * y[i];
    *out = s;
}
