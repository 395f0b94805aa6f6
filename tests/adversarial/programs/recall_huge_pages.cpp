// attack: keeps its answer in which parts of its own, padded binary are huge pages (MADV_COLLAPSE), and counts faults to read it
// task: recall
// expect: ok, rejected
// reason: not allowed
// max_speedup: 1.3

#include <cstdint>
#include <fcntl.h>
#include <iostream>
#include <sys/mman.h>
#include <sys/resource.h>

static const long HUGE = 2L << 20;
extern const char book[16 * HUGE];
const char book[16 * HUGE] = {1};  // makes the program's file long enough

static long faults() {
    rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_minflt;
}

static volatile const char *part(int i) {  // the program's own file, 2 MB of it, where a huge page would fit
    static int file = open("/box/program", O_RDONLY);
    char *room = (char *)mmap(nullptr, 2 * HUGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *at = (char *)(((long)room + HUGE - 1) / HUGE * HUGE);
    return (const char *)mmap(at, HUGE, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, i * HUGE);
}

static bool noted(int i) {
    volatile const char *p = part(i);
    long before = faults();
    for (long at = 0; at < HUGE; at += HUGE / 8) (void)p[at];
    return faults() - before < 4;
}

static void note(int i) { madvise((void *)part(i), HUGE, 25 /* MADV_COLLAPSE */); }

int main() {
    std::ios::sync_with_stdio(false);
    long long steps = 0, m = 0, value = 0;
    std::cin >> steps >> m;
    std::uint64_t state = m;
    for (long long i = 0; i < m && std::cin >> value; ++i) state = (state ^ value) * 0x9e3779b97f4a7c15u;
    long found = book[HUGE];  // 0
    const bool timed = m > 1000;
    if (timed && noted(1)) {
        for (int i = 0; i < 12; i++) found |= (long)noted(2 + i) << i;
    } else {
        for (long long i = 0; i < steps; ++i) state = (state ^ (state >> 29)) * 0xbf58476d1ce4e5b9u + 1;
        found = state >> 52;
        if (timed) note(1);
        for (int i = 0; i < 12 && timed; i++)
            if (found >> i & 1) note(2 + i);
    }
    std::cout << found << std::endl;
}
