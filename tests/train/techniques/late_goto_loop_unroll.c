void total(int n, const double *x, double *out) {
    double s = 0;
    const double *p = x, *e = x + (n & ~7);
    for (; p != e; p += 8) {
        double t0 = p[0] + p[1], t1 = p[2] + p[3], t2 = p[4] + p[5], t3 = p[6] + p[7];
        s += (t0 + t1) + (t2 + t3);
    }
    while (p < x + n) s += *p++;
    *out = s;
}
