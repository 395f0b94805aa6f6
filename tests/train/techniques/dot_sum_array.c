#define LANES 8
void dot(int n, const double *x, const double *y, double *out) {
    double s[LANES] = {0}, total = 0;
    for (int i = 0; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++) s[l] += x[i + l] * y[i + l];
    for (int i = n / LANES * LANES; i < n; i++) total += x[i] * y[i];
    for (int l = 0; l < LANES; l++) total += s[l];
    *out = total;
}
