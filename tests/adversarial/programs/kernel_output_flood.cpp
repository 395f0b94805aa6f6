// attack: floods standard output from within the kernel (bounded at 64 MB a call)
// task: smooth
// expect: crashed, ok, timeout
// reason: output|time|^$|ok|pass
// max_speedup: 1.5

#include <cstdio>
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
    static const std::vector<char> block(1 << 20, '7');
    for (int i = 0; i < 64; ++i) std::fwrite(block.data(), 1, block.size(), stdout);
    honest(n, x, y);
}
