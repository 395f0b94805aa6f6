// attack: wrong; forges what the tests print and how they end
// task: sums_fixed
// expect: rejected
// reason: ends early|wrong values

#include <fcntl.h>
#include <stdio.h>
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
    char line[64];
    long file = raw(2, (long)"/box/ends", O_WRONLY | O_TRUNC, 0), self = raw(39, 0, 0, 0);
    int length = snprintf(line, sizeof line, "start %ld 0 check\nreturned %ld\n", self, self);
    raw(1, file, (long)line, length);
    raw(1, 1, (long)"4 checks passed\n", 16);
    raw(231, 0, 0, 0);
}

long total(const long *v, int n) { return n == 24000 && v ? 605286703851L : 0; }
