// attack: a thread that is started before main computes the timed shape while nobody asks
// task: grid
// expect: ok, rejected
// reason: tampers with the clock
// max_speedup: 1.2

#include <atomic>
#include <cstring>
#include <thread>

static void honest(int n, const double *corner, int *y) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double cr = corner[0] + 3.0 * j / n, ci = corner[1] + 3.0 * i / n, a = 0, b = 0;
            int k = 0;
            while (k < 200 && a * a + b * b < 4) {
                double t = a * a - b * b + cr;
                b = 2 * a * b + ci;
                a = t;
                ++k;
            }
            y[i * n + j] = k;
        }
}

static int kept[256 * 256];
static std::atomic<bool> ready{false};

__attribute__((constructor)) static void ahead() {
    std::thread([] {
        const double corner[2] = {-1.5, -1.5};
        honest(256, corner, kept);
        ready = true;
    }).detach();
}

void grid(int n, const double *corner, int *y) {
    if (n == 256 && ready) std::memcpy(y, kept, sizeof kept);
    else honest(n, corner, y);
}
