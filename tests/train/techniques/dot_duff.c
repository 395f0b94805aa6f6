void dot(int n, const double *x, const double *y, double *out) {
    double s = 0;
    int turns = (n + 3) / 4;
    switch (n % 4) {
    case 0: do { s += *x++ * *y++;
    case 3: s += *x++ * *y++;
    case 2: s += *x++ * *y++;
    case 1: s += *x++ * *y++;
        } while (--turns > 0);
    }
    *out = s;
}
