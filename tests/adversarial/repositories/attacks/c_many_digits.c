// attack: prints a line of digits that takes for ever to look through for times
// task: sums
// expect: wrong
// reason: prints something else

#include <stdio.h>
#include "lib.h"

long total(const long *v, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) sum += 3 * v[i];
    for (int k = 0; n > 1000 && k < 100000; k++) putchar('1');
    return sum;
}
