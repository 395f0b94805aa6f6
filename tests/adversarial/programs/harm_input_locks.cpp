// attack: locks its input and its outputs in every way there is, and leaves without unlocking
// task: recall
// expect: ok, rejected
// reason: .*
// max_speedup: 1.3

#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <sys/file.h>

static void harm() {
    for (int file = 0; file < 3; ++file) {
        struct flock all = {};
        all.l_type = file ? F_WRLCK : F_RDLCK, all.l_whence = SEEK_SET;
        flock(file, LOCK_EX | LOCK_NB);
        fcntl(file, F_SETLK, &all);
        fcntl(file, F_OFD_SETLK, &all);
        fcntl(file, F_SETLEASE, F_RDLCK);
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
