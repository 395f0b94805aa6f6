// attack: none, an honest aggressive kernel: a thread that spins a while for the next call before it sleeps in an atomic wait
// task: smooth_threads
// expect: ok
// options: sanitize

#include <atomic>
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

struct Job { int n; const double *x; double *y; };

static Job job;
static std::atomic<unsigned> asked{0}, answered{0};
static std::atomic<bool> leaving{false};

static void serve() {
    for (unsigned seen = 0;;) {
        for (int i = 0; i < 2000 && asked.load(std::memory_order_acquire) == seen; ++i) std::this_thread::yield();
        asked.wait(seen, std::memory_order_acquire);
        if (leaving) return;
        ++seen;
        part(job.n, job.x, job.y, 0, job.n / 2);
        answered.store(seen, std::memory_order_release);
    }
}

struct Helper {
    std::thread thread{serve};
    ~Helper() {
        leaving = true;
        ++asked;
        asked.notify_one();
        thread.join();
    }
};

void smooth(int n, const double *x, double *y) {
    static Helper helper;
    job = {n, x, y};
    unsigned number = asked.fetch_add(1, std::memory_order_release) + 1;
    asked.notify_one();
    part(n, x, y, n / 2, n);
    while (answered.load(std::memory_order_acquire) != number) std::this_thread::yield();
}
