// attack: keeps its answer in hints about how long the data of libraries live (F_SET_RW_HINT)
// task: recall
// expect: ok, rejected
// reason: .*
// max_speedup: 1.3

#include <cstdint>
#include <cstdio>
#include <fcntl.h>

// Twelve bits of answer and four that tell a note from none.
static int sum(int v) { return (v ^ v >> 4 ^ v >> 8 ^ 9) & 15; }
static int note_of(int answer) { return answer | sum(answer) << 12; }
static int answer_of(int note) { return note >= 0 && sum(note & 4095) == note >> 12 ? note & 4095 : -1; }

// A hint about how long data lives is kept with each file: two bits in each of eight.
static const char *const places[] = {"/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libm.so.6",
    "/lib/x86_64-linux-gnu/libgcc_s.so.1", "/lib/x86_64-linux-gnu/libstdc++.so.6", "/lib64/ld-linux-x86-64.so.2",
    "/lib/x86_64-linux-gnu/libgomp.so.1", "/box/program", "/box/.runner"};

static void keep(int note) {
    for (int i = 0; i < 8; ++i) {
        std::uint64_t hint = 2 + (note >> 2 * i & 3);
        fcntl(open(places[i], O_RDONLY), 1036 /* F_SET_RW_HINT */, &hint);
    }
}

static int recall() {
    int note = 0;
    for (int i = 0; i < 8; ++i) {
        std::uint64_t hint = 0;
        if (fcntl(open(places[i], O_RDONLY), 1035 /* F_GET_RW_HINT */, &hint) != 0 || hint < 2) return -1;
        note |= (hint - 2) << 2 * i;
    }
    return note;
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
