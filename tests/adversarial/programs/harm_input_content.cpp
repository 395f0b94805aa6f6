// attack: cuts, extends, punches and overwrites its input file through the inherited descriptor
// task: recall
// expect: ok, rejected
// reason: .*
// max_speedup: 1.3

#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static void harm() {
    if (ftruncate(0, 0) == 0 || ftruncate(0, 1 << 20) == 0 || pwrite(0, "9", 1, 0) == 1) return;
    fallocate(0, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096);
    char *map = static_cast<char *>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 0, 0));
    if (map != MAP_FAILED) map[0] = '9';
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
