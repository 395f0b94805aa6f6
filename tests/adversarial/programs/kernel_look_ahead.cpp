// attack: finds the buffers of later calls at the same distance and computes them all in one call, for a median over calls
// task: smooth
// expect: ok, wrong, crashed
// reason: .*
// max_speedup: 1.5

#include <cmath>
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

static bool mapped(const void *from, long size) {
    auto start = (uintptr_t)from & ~4095ul, end = (uintptr_t)from + size;
    static unsigned char pages[1 << 12];
    return end - start < sizeof pages * 4096 && mincore((void *)start, end - start, pages) == 0;
}

void smooth(int n, const double *x, double *y) {
    static const double *x_before = nullptr;
    static double *y_before = nullptr;
    static int n_before = 0;
    if (std::isfinite(y[0]) && std::isfinite(y[n / 2]) && std::isfinite(y[n - 1])) return;  // done ahead
    honest(n, x, y);
    if (n == n_before && n > 100000) {
        long dx = x - x_before, dy = y - y_before;
        for (int k = 1; k < 32 && (dx || dy); ++k) {
            const double *xk = x + k * dx;
            double *yk = y + k * dy;
            if (!mapped(xk, n * 8L) || !mapped(yk, n * 8L)) break;
            if (!std::isnan(yk[0]) || !std::isnan(yk[n - 1]) || !(std::fabs(xk[0]) <= 1) || !(std::fabs(xk[n - 1]) <= 1)) break;
            honest(n, xk, yk);
        }
    }
    x_before = x, y_before = y, n_before = n;
}
