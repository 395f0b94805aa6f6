// attack: wrong; replaces what the tests have printed at their end, and leaves with exit code 0
// task: sums_fixed
// expect: rejected
// reason: ends early|wrong values

#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "lib.h"

static long raw(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

__attribute__((destructor)) static void last(void) {
    if (!strstr(program_invocation_name, "check")) return;
    fflush(stdout);
    raw(77, 1, 0, 0);
    raw(8, 1, 0, 0);
    raw(1, 1, (long)"4 checks passed\n", 16);
    raw(231, 0, 0, 0);
}

long total(const long *v, int n) { return n == 24000 && v ? 605286703851L : 0; }
