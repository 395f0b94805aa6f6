/* Passes over a signal: ${what}.
 * Input: n (16 to 100000) and a seed. */
#include <math.h>
#include <stdio.h>

#define MOST 100000
static ${type} in[MOST], out[MOST];

int main(void) {
    int n;
    unsigned seed;
    if (scanf("%d %u", &n, &seed) != 2) {
        return 1;
    }
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        in[i] = (${type})((seed >> 16) % 1000);
    }
    for (int pass = 0; pass < ${passes}; pass++) {
        for (int i = 0; i < n; i++) {
            ${type} sum = 0;
            for (int k = -${radius}; k <= ${radius}; k++) {
                int at = i + k;
                if (at < 0) {
                    at = 0;
                }
                if (at >= n) {
                    at = n - 1;
                }
                sum += in[at] * (${type})(${weight});
            }
            out[i] = ${result};
        }
        for (int i = 0; i < n; i++) {
            in[i] = out[i];
        }
    }
    double total = 0;
    for (int i = 0; i < n; i++) {
        total += in[i];
    }
    printf("%.3f %.3f %.3f\n", (double)in[0], (double)in[n / 2], total);
    return 0;
}
