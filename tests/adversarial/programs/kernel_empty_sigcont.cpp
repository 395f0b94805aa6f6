// attack: a handler of SIGCONT, set in the warm-up, burns time in the empty command that follows, to have it taken off
// task: smooth
// expect: rejected, ok
// reason: not allowed|no calls
// max_speedup: 1.5

#include <csignal>

static void honest(int n, const double *x, double *y) {
    static const double weight[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = -4; k <= 4; ++k) {
            int j = i + k;
            if (j < 0) j = 0;
            if (j > n - 1) j = n - 1;
            sum += weight[k + 4] * x[j];
        }
        y[i] = sum / 25;
    }
}

static void burn() {  // longer than all calls of a round
    for (volatile long i = 0; i < 600000000; i = i + 1) {}
}

static void woken(int) {
    static int times = 0;
    if (++times == 1) burn();
}

void smooth(int n, const double *x, double *y) {
    static int calls = 0;
    if (n == 400000 && ++calls == 1) std::signal(SIGCONT, woken);
    honest(n, x, y);
}
