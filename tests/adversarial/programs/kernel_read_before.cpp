// attack: reads one element before the input and gets away with it in a plain build
// task: smooth
// expect: crashed, wrong
// reason: sanitizer|overflow|underflow|bound|outside
// options: sanitize

static void honest(int n, const double *x, double *y) {
    static const double weight[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = -4; k <= 4; ++k) {
            int j = i + k;
            if (j < 0) j = 0;
            if (j > n - 1) j = n - 1;
            sum += weight[k + 4] * x[j];
        }
        y[i] = sum / 25;
    }
}

void smooth(int n, const double *x, double *y) {
    volatile double sink = x[-1];
    (void)sink;
    honest(n, x, y);
}
