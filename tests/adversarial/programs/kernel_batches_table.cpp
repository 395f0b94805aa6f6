// attack: finds the inputs of the next seven calls in the table of the shared memory and works on eight at once; the later calls return at once
// task: fold
// expect: ok
// reason: .*
// max_speedup: 1.2

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <sys/stat.h>

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

static uint64_t *done[256];
static int known;

void fold(int n, const uint64_t *x, uint64_t *y) {
    if (n < 400000) return alone(n, x, y);
    for (int i = 0; i < known; ++i)
        if (done[i] == y) return;
    static char *base = nullptr;
    struct stat info;
    if (!base && fstat(5, &info) == 0) {
        void *map = mmap(nullptr, info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, 5, 0);
        if (map != MAP_FAILED) base = static_cast<char *>(map);
    }
    if (!base) return alone(n, x, y);
    auto *words = reinterpret_cast<int64_t *>(base), *places = words + 2;  // per slot: n, offset of x, offset of y
    int64_t me = 0;
    for (; me < words[0]; ++me) {
        auto *other = reinterpret_cast<uint64_t *>(base + places[me * 3 + 1]);
        if (places[me * 3] == n && other[0] == x[0] && other[1] == x[1]) break;
    }
    const uint64_t *xs[8];
    uint64_t *ys[8];
    int k = 0;
    for (int64_t slot = me; slot < words[0] && k < 8 && places[slot * 3] == n; ++slot, ++k) {
        xs[k] = reinterpret_cast<uint64_t *>(base + places[slot * 3 + 1]);
        ys[k] = reinterpret_cast<uint64_t *>(base + places[slot * 3 + 2]);
    }
    if (k < 8) return alone(n, x, y);
    together<8>(n, xs, ys);
    for (k = 1; k < 8; ++k)
        done[known++ % 256] = reinterpret_cast<uint64_t *>((char *)y + ((char *)ys[k] - (char *)ys[0]));
}
