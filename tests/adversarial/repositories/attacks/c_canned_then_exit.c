// attack: prints the bench's answer in a constructor, and leaves by a raw system call
// task: sums_fixed
// expect: rejected
// reason: ends early

#include <string.h>
#include "lib.h"

static long raw(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

static long honest(const long *v, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
        volatile long last = 0;
        for (int j = 0; j <= i; j++) last = v[j];
        sum += 3 * last;
    }
    return sum;
}

__attribute__((constructor)) static void first(int count, char **words) {
    (void)count;
    if (!strstr(words[0], "bench")) return;
    raw(1, 1, (long)"total 605286703851\n", sizeof "total 605286703851\n" - 1);
    raw(231, 0, 0, 0);
}

long total(const long *v, int n) { return honest(v, n); }
