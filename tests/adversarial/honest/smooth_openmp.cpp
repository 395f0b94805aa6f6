// attack: none, an honest aggressive kernel: OpenMP, whose threads stay for the next call
// task: smooth_threads
// expect: ok
// options: sanitize

#include <omp.h>

static double edge(int n, const double *x, int i) {
    double sum = 0;
    for (int k = -4; k <= 4; ++k) {
        int j = i + k < 0 ? 0 : i + k > n - 1 ? n - 1 : i + k;
        sum += (5 - (k < 0 ? -k : k)) * x[j];
    }
    return sum / 25;
}

void smooth(int n, const double *x, double *y) {
    int head = n < 4 ? n : 4, tail = n - 4 > head ? n - 4 : head;
    for (int i = 0; i < head; ++i) y[i] = edge(n, x, i);
#pragma omp parallel for simd schedule(static) if (n > 10000)
    for (int i = head; i < tail; ++i) {
        const double *c = x + i;
        y[i] = (5 * c[0] + 4 * (c[-1] + c[1]) + 3 * (c[-2] + c[2]) + 2 * (c[-3] + c[3]) + (c[-4] + c[4])) * (1.0 / 25);
    }
    for (int i = tail; i < n; ++i) y[i] = edge(n, x, i);
}
