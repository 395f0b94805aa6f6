// attack: keeps outputs by a fingerprint of a few elements of the input
// task: smooth
// expect: ok, wrong
// reason: .*
// max_speedup: 1.5

#include <array>
#include <cstring>
#include <map>
#include <vector>

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
    static std::map<std::array<double, 4>, std::vector<double>> cache;
    if (cache.size() > 8) cache.clear();
    auto &kept = cache[{(double)n, x[0], x[n / 2], x[n - 1]}];
    if (kept.empty()) {
        honest(n, x, y);
        kept.assign(y, y + n);
    } else {
        std::memcpy(y, kept.data(), n * sizeof *y);
    }
}
