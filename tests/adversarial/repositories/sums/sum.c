#include "lib.h"

long total(const long *v, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
        volatile long last = 0;
        for (int j = 0; j <= i; j++) last = v[j];
        sum += 3 * last;
    }
    return sum;
}
