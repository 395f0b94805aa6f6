void dot(int n, const double *x, const double *y, double *out) {
    double s = 0;
    const double *end = x + n / 4 * 4;
    while (x < end) {
        s += x[0] * y[0];
        s += x[1] * y[1];
        s += x[2] * y[2];
        s += x[3] * y[3];
        x += 4;
        y += 4;
    }
    for (int i = 0; i < n % 4; i++) s += x[i] * y[i];
    *out = s;
}
