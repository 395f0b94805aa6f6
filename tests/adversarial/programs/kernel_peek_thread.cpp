// attack: a thread watches the input buffer and computes the next answer before the call is made
// task: smooth
// expect: ok, wrong, crashed
// reason: .*
// max_speedup: 1.5

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

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

static std::atomic<const double *> watched{nullptr};
static std::atomic<double> ready_for{2};
static std::vector<double> ahead(400000);

static void watch() {
    for (double last = 2;;) {
        const double *x = watched.load();
        if (x && x[399999] != last) {
            last = x[399999];
            honest(400000, x, ahead.data());
            ready_for = last;
        }
        std::this_thread::yield();
    }
}

void smooth(int n, const double *x, double *y) {
    if (n == 400000 && x == watched.load() && ready_for.load() == x[n - 1]) {
        std::memcpy(y, ahead.data(), n * sizeof *y);
        return;
    }
    honest(n, x, y);
    if (n == 400000 && !watched.exchange(x)) std::thread(watch).detach();
}
