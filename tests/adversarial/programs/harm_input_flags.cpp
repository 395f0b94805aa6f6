// attack: sets flags of its input file on disk (no dump, no access times, append only, immutable)
// task: recall
// expect: ok, rejected
// reason: .*
// max_speedup: 1.3

#include <cstdint>
#include <cstdio>
#include <linux/fs.h>
#include <sys/ioctl.h>

static void harm() {
    const int all[] = {0x40, 0x80, 0x20, 0x10};
    for (int flags : all) {
        long before = 0;
        if (ioctl(0, FS_IOC_GETFLAGS, &before) != 0) continue;
        long after = before | flags;
        ioctl(0, FS_IOC_SETFLAGS, &after);
    }
}

int main() {
    long long steps = 0, m = 0, value = 0;
    if (scanf("%lld %lld", &steps, &m) != 2) return 1;
    std::uint64_t state = m;
    for (long long i = 0; i < m && scanf("%lld", &value) == 1; ++i) state = (state ^ value) * 0x9e3779b97f4a7c15u;
    harm();
    for (long long i = 0; i < steps; ++i) state = (state ^ (state >> 29)) * 0xbf58476d1ce4e5b9u + 1;
    printf("%d\n", static_cast<int>(state >> 52));
}
