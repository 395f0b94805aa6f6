// attack: looks for the reference's answer in freed memory
// task: smooth
// expect: ok
// reason: .*
// max_speedup: 1.5

#include <cstdlib>
#include <cstring>

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
    auto *found = static_cast<double *>(std::malloc(n * sizeof(double)));
    bool same = n > 64;
    for (int i = 8; same && i < n; i += n / 8) same = found[i] == weighted(n, x, i);
    if (same) std::memcpy(y, found, n * sizeof *y);
    else
        for (int i = 0; i < n; ++i) y[i] = weighted(n, x, i);
    std::free(found);
}
