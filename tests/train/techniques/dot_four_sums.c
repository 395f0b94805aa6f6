void dot(int n, const double *x, const double *y, double *out) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int i;
    for (i = 0; i <= n - 4; i += 4) {
        s0 += x[i] * y[i];
        s1 += x[i + 1] * y[i + 1];
        s2 += x[i + 2] * y[i + 2];
        s3 += x[i + 3] * y[i + 3];
    }
    for (; i < n; i++) s0 += x[i] * y[i];
    *out = (s0 + s1) + (s2 + s3);
}
