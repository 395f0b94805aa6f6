// attack: an interval timer runs out while the process is stopped; the handler of its signal burns time in the empty command
// task: smooth
// expect: rejected, ok
// reason: not allowed|no calls
// max_speedup: 1.5

#include <csignal>
#include <sys/time.h>

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

static void rings(int) { burn(); }

void smooth(int n, const double *x, double *y) {
    static int calls = 0;
    honest(n, x, y);
    if (n != 400000 || ++calls != 1) return;
    std::signal(SIGALRM, rings);
    struct itimerval soon = {{0, 0}, {0, 1000}};  // it is stopped by then
    setitimer(ITIMER_REAL, &soon, nullptr);
}
