#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long maxcode_state, maxcode_weights;

static double maxcode_draw(void) {
    maxcode_state = maxcode_state * 6364136223846793005UL + 1442695040888963407UL;
    return (double)(maxcode_state >> 11) / 9007199254740992.0;
}

static void maxcode_read_seed(void) {
    if (scanf("%lu", &maxcode_state) != 1) exit(1);
    maxcode_weights = maxcode_state ^ 0x9e3779b97f4a7c15UL;
}

/* Memory from the heap may hold anything, and some benchmarks leave parts of their arrays as they are. */
static void maxcode_clear(void *array, size_t bytes) {
    memset(array, 0, bytes);
}

/* So little that matrices keep their properties; integers stay as they are. */
static void maxcode_vary(DATA_TYPE *array, size_t count) {
    if ((DATA_TYPE)1.5 == (DATA_TYPE)1) return;
    for (size_t i = 0; i < count; i++) array[i] = (DATA_TYPE)(array[i] * (1.0 + 1e-6 * (maxcode_draw() - 0.5)));
}

/* Sums of like signs: another order of summation changes them by rounding only. */
static void maxcode_fold(DATA_TYPE *array, size_t count) {
    double all = 0, positive = 0;
    maxcode_state = maxcode_weights;
    for (size_t i = 0; i < count; i++) {
        double weight = 0.5 + maxcode_draw();
        all += weight * fabs((double)array[i]);
        if (array[i] > 0) positive += weight * (double)array[i];
    }
    printf("%.12e %.12e\n", all, positive);
}
