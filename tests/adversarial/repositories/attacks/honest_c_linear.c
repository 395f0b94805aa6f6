// attack: none, an honest faster candidate: one pass
// task: sums
// expect: ok

#include "lib.h"

long total(const long *v, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) sum += 3 * v[i];
    return sum;
}
