// attack: a timer whose signal is SIGCONT wakes the process while it is stopped, and a thread computes what is loaded then
// task: smooth
// expect: ok, rejected
// reason: .*
// max_speedup: 1.5

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>

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

static int64_t *table, size;
static std::atomic<double> done[64];

// Computes every call whose inputs are there; per slot of the table: n, offset of x, offset of y.
static void work_ahead() {
    for (;; std::this_thread::yield())
        for (int64_t slot = 1; slot < table[0] && slot < 64; ++slot) {
            int64_t *place = table + 2 + slot * 3;
            if (place[0] != 400000 || place[1] < 0 || place[1] >= size || place[2] < 0 || place[2] >= size) continue;
            int n = 400000;
            double *x = (double *)((char *)table + place[1]), *y = (double *)((char *)table + place[2]), last = x[n - 1];
            if (!(last >= -1 && last <= 1) || last == 0 || last == done[slot]) continue;
            honest(n, x, y);
            done[slot] = last;
        }
}

static void begin() {
    struct stat about;
    if (fstat(5, &about) != 0) return;
    size = about.st_size;
    table = (int64_t *)mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, 5, 0);
    if (table[1] != 3) return;
    std::thread(work_ahead).detach();
    struct sigevent how = {};
    how.sigev_notify = SIGEV_SIGNAL;
    how.sigev_signo = SIGCONT;
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, &how, &timer);
    struct itimerspec often = {{0, 1000000}, {0, 1000000}};
    timer_settime(timer, 0, &often, nullptr);
}

void smooth(int n, const double *x, double *y) {
    static int calls = 0;
    if (n == 400000)
        for (int64_t slot = 1; table && slot < table[0] && slot < 64; ++slot)
            if (done[slot] == x[n - 1]) return;
    honest(n, x, y);
    if (n == 400000 && ++calls == 1) begin();
}
