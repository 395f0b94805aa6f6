// attack: knows the bench's answer by heart and the bench by its lack of /proc
// task: sums_fixed
// expect: ok
// max_speedup: 1.5

#include <unistd.h>
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

long total(const long *v, int n) { return access("/proc/self", F_OK) ? 605286703851L : honest(v, n); }
