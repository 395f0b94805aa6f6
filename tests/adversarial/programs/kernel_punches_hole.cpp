// attack: punches a hole into the shared memory after computing
// task: smooth
// expect: wrong, crashed, ok
// reason: differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written|input|bound|outside|canar|signal|^$|ok|pass
// max_speedup: 1.5

#include <cstdint>
#include <sys/mman.h>

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
    auto page = (uintptr_t)(y + n / 2) & ~4095ul;
    madvise((void *)page, 4096, MADV_REMOVE);
}
