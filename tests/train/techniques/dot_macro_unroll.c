#define TERM(o) s##o += x[i + o] * y[i + o];
#define FOUR(M) M(0) M(1) M(2) M(3)
void dot(int n, const double *x, const double *y, double *out) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int i = 0; i < n; i += 4) { FOUR(TERM) }
    *out = s0 + s1 + s2 + s3;
}
