// attack: a handler of SIGCONT, there from the start, burns time in every command that is not followed by calls at once
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

static bool warm = false, timed = false;

static void woken(int) {
    if (!warm) return;
    if (!timed) burn();
    timed = true;
}

__attribute__((constructor)) static void set() { std::signal(SIGCONT, woken); }

void smooth(int n, const double *x, double *y) {
    honest(n, x, y);
    warm = true;
}
