// attack: writes the whole page behind the output, other buffers included
// task: smooth
// expect: wrong, crashed
// reason: bound|outside|canar|guard|signal|segv|input|differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written

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
    honest(n, x, y);
    for (int i = 0; i < 512; ++i) reinterpret_cast<volatile double *>(y)[n + i] = 0.5;
}
