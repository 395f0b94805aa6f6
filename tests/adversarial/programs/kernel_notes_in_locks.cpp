// attack: keeps outputs from one process to the next in locks of the memory file's description, which the evaluator has too
// task: fold
// expect: ok, rejected
// reason: not allowed
// max_speedup: 1.3

#include <cstdint>
#include <fcntl.h>
#include <unistd.h>

// A lock lasts as long as its description. Where it begins is the note: 16 bits of the input, which half, 32 bits.
static struct flock place(off_t start, off_t length) {
    struct flock lock = {};
    lock.l_type = F_WRLCK, lock.l_whence = SEEK_SET, lock.l_start = start, lock.l_len = length;
    return lock;
}

static off_t row(std::uint64_t key, int half) { return (off_t)(key * 2 + half) << 34; }

static bool noted(std::uint64_t key, int half, std::uint64_t *value) {
    struct flock lock = place(row(key, half), (off_t)1 << 34);
    if (fcntl(5, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return false;
    *value |= (std::uint64_t)(lock.l_start - row(key, half)) / 2 << 32 * half;
    return true;
}

static void note(std::uint64_t key, int half, std::uint64_t value) {
    struct flock lock = place(row(key, half) + 2 * (off_t)(value >> 32 * half & 0xffffffff), 1);
    fcntl(5, F_OFD_SETLK, &lock);
}

void fold(int n, const std::uint64_t *x, std::uint64_t *y) {
    const std::uint64_t key = x[0] * 0x9E3779B97F4A7C15u >> 48;
    std::uint64_t known = 0, state = 1;
    if (n > 400000 && noted(key, 0, &known) && noted(key, 1, &known)) {
        *y = known;
        return;
    }
    for (int i = 0; i < n; ++i) {
        state = (state ^ x[i]) * 0x9E3779B97F4A7C15u;
        state ^= state >> 29;
    }
    *y = state;
    if (n > 400000) note(key, 0, state), note(key, 1, state);
}
