#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAXCODE_LONGEST_ROUND = 15, MAXCODE_WINDOWS = 16, MAXCODE_TAIL = 16, MAXCODE_WEIGHTS = 1024 };

struct maxcode_array {
    real_t *now;
    size_t count;
    real_t *before;
    size_t at;
    real_t put;
    int written;
    double all, positive, seen;
};

static unsigned long maxcode_state, maxcode_seed;
static long maxcode_passes;
static double maxcode_weights[MAXCODE_WEIGHTS];

static double maxcode_draw(void) {
    maxcode_state = maxcode_state * 6364136223846793005UL + 1442695040888963407UL;
    return (double)(maxcode_state >> 11) / 9007199254740992.0;
}

static void maxcode_read(void) {
    if (scanf("%lu %ld", &maxcode_seed, &maxcode_passes) != 2) exit(1);
    maxcode_state = maxcode_seed ^ 0x9e3779b97f4a7c15UL;
    for (int i = 0; i < MAXCODE_WEIGHTS; i++) maxcode_weights[i] = 0.5 + maxcode_draw();
}

/* Some kernels square their data pass after pass: one element that overflows must not hide the others. */
static double maxcode_sane(double value) {
    return fabs(value) < 1e30 ? value : 1;
}

/* The same factor at the same place of every array: elements that are equal stay so, and with them the way that
   kernels with conditions go. Signs and zeros stay too. */
static void maxcode_vary(struct maxcode_array *array) {
    maxcode_state = maxcode_seed;
    for (size_t i = 0; i < array->count; i++) array->now[i] *= (real_t)(1.0 + 1e-3 * (2 * maxcode_draw() - 1));
    array->before = malloc(array->count * sizeof(real_t));
    if (!array->before) exit(1);
    memcpy(array->before, array->now, array->count * sizeof(real_t));
}

/* One element, anywhere, is a few percent larger: what the last pass left is no longer what this one must give. */
static void maxcode_nudge(struct maxcode_array *array, double where, double factor) {
    array->at = (size_t)(where * (double)array->count);
    array->put = array->now[array->at] = (real_t)(array->before[array->at] * factor);
}

/* Only what the pass has written counts: the rest would drown it. */
static void maxcode_look(struct maxcode_array *array) {
    real_t value = array->now[array->at];
    if (value != array->put) array->seen += maxcode_weights[array->at % MAXCODE_WEIGHTS] * fabs(maxcode_sane(value));
}

/* Sums of like signs: another order of summation changes them by rounding only. */
static void maxcode_fold(struct maxcode_array *array, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        if (array->now[i] == array->before[i]) continue;
        double value = maxcode_weights[i % MAXCODE_WEIGHTS] * maxcode_sane(array->now[i]);
        array->all += fabs(value);
        if (value > 0) array->positive += value;
    }
}

/* Rounds end when only the seed knows, so that the arrays must be right after every pass. */
static void maxcode_end_round(struct maxcode_array *array, int first, double where) {
    size_t bytes = array->count * sizeof(real_t), window = array->count / MAXCODE_WINDOWS;
    if (first) array->written = memcmp(array->now, array->before, bytes) != 0;
    if (!array->written) return;
    size_t from = (size_t)(where * (double)(array->count - window));
    maxcode_fold(array, from, from + window);
    memcpy(array->now, array->before, bytes);
}

static void maxcode_print(struct maxcode_array *array) {
    maxcode_fold(array, 0, array->count);
    printf("%.9e %.9e %.9e", array->all, array->positive, array->seen);
    array->all = 0;
    maxcode_fold(array, array->count > MAXCODE_TAIL ? array->count - MAXCODE_TAIL : 0, array->count);
    printf(" %.9e\n", array->all);
}

static int maxcode_run(real_t (*kernel)(struct args_t *), struct args_t *given, struct maxcode_array *arrays, int count) {
    double result = 0;
    for (int k = 0; k < count; k++) maxcode_vary(&arrays[k]);
    for (long pass = 0, left = 1; pass < maxcode_passes; pass++) {
        if (left-- == 0) {
            double where = maxcode_draw();
            for (int k = 0; k < count; k++) maxcode_end_round(&arrays[k], pass == 1, where);
            left = (long)(MAXCODE_LONGEST_ROUND * maxcode_draw());
        }
        if (pass) {
            double where = maxcode_draw(), factor = 1.01 + 0.02 * maxcode_draw();
            for (int k = 0; k < count; k++) maxcode_nudge(&arrays[k], where, factor);
        }
        double weight = pass ? 0.5 + maxcode_draw() : 1;
        result += weight * fabs(maxcode_sane(kernel(given)));
        if (pass) for (int k = 0; k < count; k++) maxcode_look(&arrays[k]);
    }
    printf("\n%.9e\n", result);
    for (int k = 0; k < count; k++) maxcode_print(&arrays[k]);
    return 0;
}
