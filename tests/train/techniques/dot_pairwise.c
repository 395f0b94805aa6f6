void dot(int n, const double *x, const double *y, double *out) {
    double total = 0;
    for (int from = 0; from < n; from += 256) {
        int to = from + 256 < n ? from + 256 : n;
        double part = 0;
        for (int i = from; i < to; i++) part += x[i] * y[i];
        total += part;
    }
    *out = total;
}
