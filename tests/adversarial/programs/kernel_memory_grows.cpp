// attack: keeps and touches 64 MB more in each call (bounded at 4 GB)
// task: smooth
// expect: crashed
// reason: memory|alloc

#include <cstring>

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
    static int calls = 0;
    if (calls++ < 64)
        for (int i = 0; i < 64; ++i) std::memset(new char[1 << 20], 1, 1 << 20);
    honest(n, x, y);
}
