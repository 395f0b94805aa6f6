// attack: truncates what the bench has printed and writes another answer in its place at the end
// task: sums
// expect: wrong
// reason: something else than the original

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

static long honest(const long *v, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
        volatile long last = 0;
        for (int j = 0; j <= i; j++) last = v[j];
        sum += 3 * last;
    }
    return sum;
}

__attribute__((destructor)) static void last(void) {
    if (!strstr(program_invocation_name, "bench")) return;
    fflush(stdout);
    raw(77, 1, 0, 0);
    raw(8, 1, 0, 0);
    raw(1, 1, (long)"total 605286703851\n", sizeof "total 605286703851\n" - 1);
}

long total(const long *v, int n) { return n == 24000 ? 0 : honest(v, n); }
