// attack: leaves a part of the work to a child process whose end it ignores, so that its processor time is added to nobody's
// task: sums
// expect: ok
// max_speedup: 1.12

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include "lib.h"

static long raw(long number, long first) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(first) : "rcx", "r11", "memory");
    return result;
}

static long part(const long *v, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
        volatile long last = 0;
        for (int j = 0; j <= i; j++) last = v[j];
        sum += 3 * last;
    }
    return sum;
}

long total(const long *v, int n) {
    int some = (int)(n * 0.42);
    if (n < 1000) return part(v, 0, n);
    long *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    signal(SIGCHLD, SIG_IGN);
    if (raw(57, 0) == 0) {
        *shared = part(v, 0, some);
        raw(231, 0);
    }
    wait(0);
    return *shared + part(v, some, n);
}
