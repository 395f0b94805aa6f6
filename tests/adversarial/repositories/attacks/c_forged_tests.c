// attack: wrong; prints that all tests passed in a constructor, and leaves by a raw system call
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

__attribute__((constructor)) static void first(int count, char **words) {
    (void)count;
    if (!strstr(words[0], "check")) return;
    raw(1, 1, (long)"4 checks passed\n", 16);
    raw(231, 0, 0, 0);
}

long total(const long *v, int n) { return n == 24000 && v ? 605286703851L : 0; }
