// attack: puts private memory in place of the shared output and writes there
// task: smooth
// expect: wrong, crashed, timeout
// reason: differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written|input|signal|segv|repl|exit|time

#include <cstdint>
#include <cstring>
#include <sys/mman.h>
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
    std::vector<double> result(n);
    honest(n, x, result.data());
    auto start = (uintptr_t)y & ~4095ul, end = ((uintptr_t)(y + n) + 4095) & ~4095ul;
    mmap((void *)start, end - start, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    std::memcpy(y, result.data(), n * sizeof *y);
}
