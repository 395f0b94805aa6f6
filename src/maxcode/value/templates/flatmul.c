/* Triangular or square products over flat arrays; prints a checksum per row.
 * Input: n (1 to 300) and a seed. */
#include <stdio.h>

static ${type} a[300 * 300], b[300 * 300], c[300 * 300];

int main(void) {
    int n;
    unsigned seed;
    if (scanf("%d %u", &n, &seed) != 2) {
        return 1;
    }
    for (int i = 0; i < n * n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = (${type})((seed >> 20) % 50);
        b[i] = (${type})((seed >> 10) % ${modulus});
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < ${limit}; j++) {
            for (int k = 0; k < n; k++) {
                c[i * n + j] += a[${left}] * b[${right}];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) {
            sum += c[i * n + j];
        }
        printf("%.0f\n", sum);
    }
    return 0;
}
