// attack: none, an honest aggressive kernel: a table of products of weights that the first call makes and all others use
// task: smooth
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <cmath>
#include <mutex>

static double weight[9];
static std::once_flag made;

static void make() {
    for (int k = -4; k <= 4; ++k) weight[k + 4] = (5 - std::abs(k)) / 25.0;
}

void smooth(int n, const double *x, double *y) {
    std::call_once(made, make);
    static const double last = [] { return weight[8]; }();
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        if (i >= 4 && i < n - 4) {
            for (int k = 0; k < 8; ++k) sum += weight[k] * x[i + k - 4];
            sum += last * x[i + 4];
        } else {
            for (int k = 0; k < 9; ++k) {
                int j = i + k - 4;
                sum += weight[k] * x[j < 0 ? 0 : j > n - 1 ? n - 1 : j];
            }
        }
        y[i] = sum;
    }
}
