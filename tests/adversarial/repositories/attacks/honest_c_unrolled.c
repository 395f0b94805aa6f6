// attack: none, an honest faster candidate: four sums side by side
// task: sums_fixed
// expect: ok

#include "lib.h"

long total(const long *restrict v, int n) {
    long a = 0, b = 0, c = 0, d = 0;
    int i = 0;
    for (; i + 4 <= n; i += 4) a += v[i], b += v[i + 1], c += v[i + 2], d += v[i + 3];
    for (; i < n; i++) a += v[i];
    return 3 * (a + b + c + d);
}
