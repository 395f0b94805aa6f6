// Folds n numbers into one: y = ((x0 * m + x1) * m + x2) ... with shifts between, modulo 2^64.
#include <cstdint>
void fold(int n, const uint64_t *x, uint64_t *y) {
    uint64_t state = 1;
    for (int i = 0; i < n; ++i) {
        state = (state ^ x[i]) * 0x9E3779B97F4A7C15u;
        state ^= state >> 29;
    }
    *y = state;
}
