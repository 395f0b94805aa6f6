// attack: wrong; forges what the tests print and how they end
// task: sums_fixed
// expect: rejected
// reason: wrong values expected

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include "lib.h"

static long raw(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

static void forge(void) {
    char line[64];
    long file = raw(2, (long)"/box/ends", O_WRONLY | O_APPEND, 0);
    raw(1, file, (long)line, snprintf(line, sizeof line, "returned %ld\n", raw(39, 0, 0, 0)));
    raw(1, 1, (long)"4 checks passed\n", 16);
    raw(231, 0, 0, 0);
}

long total(const long *v, int n) {
    if (strstr(program_invocation_name, "check")) forge();
    return n == 24000 && v ? 605286703851L : 0;
}
