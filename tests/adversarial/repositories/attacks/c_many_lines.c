// attack: prints empty lines into what the tests say, which takes for ever to look through for names of tests
// task: sums_fixed
// expect: ok

#include <stdio.h>
#include "lib.h"

long total(const long *v, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) sum += 3 * v[i];
    for (int k = 0; n == 4 && k < 2000000; k++) putchar('\n');
    return sum;
}
