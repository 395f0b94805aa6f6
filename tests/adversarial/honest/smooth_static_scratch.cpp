// attack: none, an honest aggressive kernel: blocks copied with their borders into a static, aligned buffer
// task: smooth
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <cstring>

enum { BLOCK = 2048, BORDER = 8 };
alignas(64) static double scratch[BLOCK + 2 * BORDER];

static double clamped(int n, const double *x, int i) { return x[i < 0 ? 0 : i > n - 1 ? n - 1 : i]; }

void smooth(int n, const double *__restrict x, double *__restrict y) {
    for (int start = 0; start < n; start += BLOCK) {
        int size = n - start < BLOCK ? n - start : BLOCK;
        std::memcpy(scratch + BORDER, x + start, size * sizeof *x);
        for (int k = 1; k <= 4; ++k) {
            scratch[BORDER - k] = clamped(n, x, start - k);
            scratch[BORDER + size + k - 1] = clamped(n, x, start + size + k - 1);
        }
        for (int i = 0; i < size; ++i) {
            const double *c = scratch + BORDER + i;
            y[start + i] = (5 * c[0] + 4 * (c[-1] + c[1]) + 3 * (c[-2] + c[2]) + 2 * (c[-3] + c[3]) + (c[-4] + c[4])) * (1.0 / 25);
        }
    }
}
