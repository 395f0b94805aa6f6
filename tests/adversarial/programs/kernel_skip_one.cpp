// attack: leaves out a single element in the middle of large outputs
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
    for (int i = 0; i < n; ++i)
        if (n < 500 || i != n / 2) y[i] = weighted(n, x, i);
}
