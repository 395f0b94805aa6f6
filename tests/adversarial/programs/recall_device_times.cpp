// attack: keeps its answer in the times at which devices were touched, which whoever may write to them may set
// task: recall
// expect: ok, rejected
// reason: .*
// max_speedup: 1.3

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>

// Twelve bits of answer and four that tell a note from none.
static int sum(int v) { return (v ^ v >> 4 ^ v >> 8 ^ 9) & 15; }
static int note_of(int answer) { return answer | sum(answer) << 12; }
static int answer_of(int note) { return note >= 0 && sum(note & 4095) == note >> 12 ? note & 4095 : -1; }

// The time at which a device was touched last says four bits: in sixteenths of a second.
static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/urandom"};

static int sixteenth() {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME_COARSE, &t);
    return t.tv_nsec / 62500000;
}

static void keep(int note) {
    for (int i = 0; i < 3; ++i) {
        int file = open(devices[i], O_WRONLY);
        while (sixteenth() != (note >> 4 * i & 15)) {}
        futimens(file, nullptr);
    }
}

static int recall() {
    int note = 0, recent = 0;
    for (int i = 0; i < 3; ++i) {
        struct stat info;
        if (stat(devices[i], &info) != 0) return -1;
        note |= info.st_mtim.tv_nsec / 62500000 << 4 * i;
        recent += time(nullptr) - info.st_mtim.tv_sec < 60;
    }
    return recent == 3 ? note | sum(note) << 12 : -1;
}

int main() {
    long long steps = 0, m = 0, value = 0;
    if (scanf("%lld %lld", &steps, &m) != 2) return 1;
    std::uint64_t state = m;
    for (long long i = 0; i < m && scanf("%lld", &value) == 1; ++i) state = (state ^ value) * 0x9e3779b97f4a7c15u;
    bool large = steps > 10000000;
    int answer = large ? answer_of(recall()) : -1;
    bool known = answer >= 0;
    if (!known) {
        for (long long i = 0; i < steps; ++i) state = (state ^ (state >> 29)) * 0xbf58476d1ce4e5b9u + 1;
        answer = state >> 52;
    }
    if (large && !known) keep(note_of(answer));
    printf("%d\n", answer);
}
