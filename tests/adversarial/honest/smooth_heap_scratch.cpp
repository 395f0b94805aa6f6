// attack: none, an honest aggressive kernel: a padded copy in aligned memory that every call takes and gives back
// task: smooth
// expect: ok
// options: sanitize

#include <cstdlib>
#include <cstring>

void smooth(int n, const double *x, double *y) {
    size_t bytes = ((n + 16) * sizeof(double) + 63) / 64 * 64;
    auto *room = (double *)std::aligned_alloc(64, bytes);
    if (!room) std::abort();
    double *padded = (double *)__builtin_assume_aligned(room, 64) + 8;
    std::memcpy(padded, x, n * sizeof *x);
    for (int k = 1; k <= 4; ++k) padded[-k] = x[0], padded[n + k - 1] = x[n - 1];
    for (int i = 0; i < n; ++i) {
        const double *c = padded + i;
        y[i] = (5 * c[0] + 4 * (c[-1] + c[1]) + 3 * (c[-2] + c[2]) + 2 * (c[-3] + c[3]) + (c[-4] + c[4])) * (1.0 / 25);
    }
    std::free(room);
}
