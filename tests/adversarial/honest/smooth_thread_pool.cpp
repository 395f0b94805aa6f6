// attack: none, an honest aggressive kernel: a thread that the first call makes and that waits for work between calls
// task: smooth_threads
// expect: ok
// options: sanitize

#include <condition_variable>
#include <mutex>
#include <thread>

static double edge(int n, const double *x, int i) {
    double sum = 0;
    for (int k = -4; k <= 4; ++k) {
        int j = i + k < 0 ? 0 : i + k > n - 1 ? n - 1 : i + k;
        sum += (5 - (k < 0 ? -k : k)) * x[j];
    }
    return sum / 25;
}

static void part(int n, const double *x, double *y, int from, int to) {
    for (int i = from; i < to; ++i) {
        const double *c = x + i;
        y[i] = i < 4 || i >= n - 4 ? edge(n, x, i) : (5 * c[0] + 4 * (c[-1] + c[1]) + 3 * (c[-2] + c[2]) + 2 * (c[-3] + c[3]) + (c[-4] + c[4])) * (1.0 / 25);
    }
}

struct Helper {
    std::mutex mutex;
    std::condition_variable changed;
    int n = 0, busy = 0;
    bool leaving = false;
    const double *x = nullptr;
    double *y = nullptr;
    std::thread thread{[this] { serve(); }};

    void serve() {
        for (std::unique_lock lock(mutex);; busy = 0, changed.notify_all()) {
            changed.wait(lock, [this] { return busy || leaving; });
            if (leaving) return;
            lock.unlock();
            part(n, x, y, 0, n / 2);
            lock.lock();
        }
    }
    void start(int count, const double *from, double *to) {
        std::lock_guard lock(mutex);
        n = count, x = from, y = to, busy = 1;
        changed.notify_all();
    }
    void wait() {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return !busy; });
    }
    ~Helper() {
        {
            std::lock_guard lock(mutex);
            leaving = true;
            changed.notify_all();
        }
        thread.join();
    }
};

void smooth(int n, const double *x, double *y) {
    static Helper helper;
    helper.start(n, x, y);
    part(n, x, y, n / 2, n);
    helper.wait();
}
