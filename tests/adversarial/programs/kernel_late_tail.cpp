// attack: computes the first sixteenth and leaves the rest to a worker thread that is always there
// task: smooth
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written

#include <atomic>
#include <thread>

static double weighted(int n, const double *x, int i) {
    static const double weight[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
    double sum = 0;
    for (int k = -4; k <= 4; ++k) {
        int j = i + k;
        if (j < 0) j = 0;
        if (j > n - 1) j = n - 1;
        sum += weight[k + 4] * x[j];
    }
    return sum / 25;
}

static std::atomic<int> pending{0};
static const double *from;
static double *to;

static void worker() {
    for (;;) {
        int n = pending.load();
        for (int i = n / 16; i < n; ++i) to[i] = weighted(n, from, i);
        if (n) pending = 0;
        std::this_thread::yield();
    }
}

void smooth(int n, const double *x, double *y) {
    static bool started = (std::thread(worker).detach(), true);
    if (n < 100000 || !started) {
        for (int i = 0; i < n; ++i) y[i] = weighted(n, x, i);
        return;
    }
    while (pending.load()) std::this_thread::yield();
    from = x, to = y;
    pending = n;
    for (int i = 0; i < n / 16; ++i) y[i] = weighted(n, x, i);
}
