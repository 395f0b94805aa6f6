// attack: leaves calls undone as long as the next one is there, and works on six at once when it has as many
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

static const uint64_t *xs[6];
static uint64_t *ys[6];
static int waiting;

void fold(int n, const uint64_t *x, uint64_t *y) {
    if (n < 400000) return alone(n, x, y);
    xs[waiting] = x;
    ys[waiting++] = y;
    const uint64_t *next = next_x(n, x);
    bool last = !mapped(next + n) || !loaded(next);
    if (waiting == 6) together<6>(n, xs, ys);
    else if (!last) return;
    else for (int k = 0; k < waiting; ++k) alone(n, xs[k], ys[k]);
    waiting = 0;
}
