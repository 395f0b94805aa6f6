// attack: adds up in heap memory that it takes to be zero, which new pages are
// task: smooth
// expect: wrong, crashed
// reason: differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written|sanitizer
// options: sanitize

#include <cstdlib>

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
    auto *sums = static_cast<double *>(std::malloc(n * sizeof(double)));
    for (int i = 0; i < n; ++i) sums[i] += weighted(n, x, i);
    for (int i = 0; i < n; ++i) y[i] = sums[i];
    std::free(sums);
}
