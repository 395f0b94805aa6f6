/* Figures of the columns of a table: ${what}.
 * Input: n (1 to 500) and a seed; the table has n rows and n columns. */
#include <stdio.h>

static ${type} table[500][500];

int main(void) {
    int n;
    unsigned seed;
    if (scanf("%d %u", &n, &seed) != 2) {
        return 1;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            seed = seed * 1103515245u + 12345u;
            table[i][j] = (${type})((seed >> 16) % 1000);
        }
    }
    for (int repeat = 0; repeat < ${repeats}; repeat++) {
        for (int ${outer} = 0; ${outer} < n; ${outer}++) {
            ${type} figure = 0;
            for (int ${inner} = 0; ${inner} < n; ${inner}++) {
                ${update}
            }
            table[repeat % n][${outer}] = figure / ${divisor};
            if (${outer} % 16 == 0) {
                printf("%.0f\n", (double)figure);
            }
        }
    }
    return 0;
}
