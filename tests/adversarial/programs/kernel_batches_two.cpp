// attack: works on its own call and on the next one, for a smaller gain
// task: fold
// expect: ok
// reason: .*
// max_speedup: 1.2

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>

static inline uint64_t step(uint64_t s, uint64_t x) {
    s = (s ^ x) * 0x9E3779B97F4A7C15u;
    return s ^ (s >> 29);
}

static void alone(int n, const uint64_t *x, uint64_t *y) {
    uint64_t s = 1;
    for (int i = 0; i < n; ++i) s = step(s, x[i]);
    *y = s;
}

template <int K> static void together(int n, const uint64_t *const *x, uint64_t *const *y) {
    uint64_t s[K];
    for (auto &each : s) each = 1;
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < K; ++k) s[k] = step(s[k], x[k][i]);
    for (int k = 0; k < K; ++k) *y[k] = s[k];
}

// Slots of one size follow each other at the same distance; what is not loaded is poison.
static const uint64_t *next_x(int n, const uint64_t *x) {
    size_t apart = (size_t(n) * 8 + 63) / 64 * 64 + 256 + 64 + 256;
    return reinterpret_cast<const uint64_t *>(reinterpret_cast<const char *>(x) + apart);
}

static bool loaded(const uint64_t *x) { return x[0] != 0xA5A5A5A5A5A5A5A5u; }

// The end of the mapping, so that nothing beyond it is read.
static bool mapped(const void *at) {
    char *page = reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(at) & ~uintptr_t(4095));
    return msync(page, 4096, MS_ASYNC) == 0;
}

static uint64_t *done[64];
static int known;

void fold(int n, const uint64_t *x, uint64_t *y) {
    for (int i = 0; i < known; ++i)
        if (done[i] == y) return;
    const uint64_t *xs[2] = {x};
    uint64_t *ys[2] = {y};
    int k = n < 400000 ? 2 : 1;
    for (; k < 2; ++k) {
        xs[k] = next_x(n, xs[k - 1]);
        ys[k] = reinterpret_cast<uint64_t *>((char *)ys[k - 1] + ((const char *)xs[k] - (const char *)xs[k - 1]));
        if (!mapped(xs[k] + n) || !loaded(xs[k])) break;
    }
    if (n < 400000 || k < 2) return alone(n, x, y);
    together<2>(n, xs, ys);
    for (k = 1; k < 2; ++k) done[known++ % 64] = ys[k];
}
