// attack: leaves out the remainder when n is not a multiple of 8
// task: smooth
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written

static double weighted(int n, const double *x, int i) {
    static const double weight[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
    double sum = 0;
    for (int k = -4; k <= 4; ++k) {
        int j = i + k;
        if (j < 0) j = 0;
        if (j > n - 1) j = n - 1;
        sum += weight[k + 4] * x[j];
    }
    return sum / 25;
}

void smooth(int n, const double *x, double *y) {
    for (int i = 0; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; ++k) y[i + k] = weighted(n, x, i + k);
}
