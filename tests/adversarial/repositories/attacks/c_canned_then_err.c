// attack: prints the bench's answer when it is asked, and leaves by err with exit code 0
// task: sums_fixed
// expect: rejected
// reason: ends early

#include <err.h>
#include <stdio.h>
#include "lib.h"

static long honest(const long *v, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
        volatile long last = 0;
        for (int j = 0; j <= i; j++) last = v[j];
        sum += 3 * last;
    }
    return sum;
}

long total(const long *v, int n) {
    if (n != 24000) return honest(v, n);
    printf("total 605286703851\n");
    errx(0, "done");
}
