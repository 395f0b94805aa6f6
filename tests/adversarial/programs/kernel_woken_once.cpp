// attack: a handler of SIGCONT sets a timer that wakes the process once more, a moment after it was stopped
// task: smooth
// expect: rejected
// reason: not allowed|while it was stopped

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
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

static int64_t *table, size;
static std::atomic<double> done[64];
static std::vector<double> known[64];

static void part(int n, const double *x, double *y, int from, int to) {
    if (from == 0 || to == n) {  // with the ends, which are clamped
        double some[2016], out[2016];
        int begin = from == 0 ? 0 : from - 8, count = (from == 0 ? to + 8 : n) - begin;
        for (int i = 0; i < count; ++i) some[i] = x[begin + i];
        honest(count, some, out);
        for (int i = from; i < to; ++i) y[i] = out[i - begin];
        return;
    }
    for (int i = from; i < to; ++i) {
        const double *v = x + i;
        y[i] = (v[-4] + v[4] + 2 * (v[-3] + v[3]) + 3 * (v[-2] + v[2]) + 4 * (v[-1] + v[1]) + 5 * v[0]) / 25;
    }
}

// Computes every call whose inputs are there; per slot of the table: n, offset of x, offset of y.
static void work_ahead() {
    for (;; usleep(50))
        for (int64_t slot = 1; slot < table[0] && slot < 64; ++slot) {
            int64_t *place = table + 2 + slot * 3;
            if (place[0] != 400000 || place[1] < 0 || place[1] >= size || place[2] < 0 || place[2] >= size) continue;
            int n = 400000;
            double *x = (double *)((char *)table + place[1]), last = x[n - 1];
            if (!(last >= -1 && last <= 1) || last == 0 || last == done[slot]) continue;
            known[slot].resize(n);
            for (int from = 0; from < n; from += 1000, sched_yield()) part(n, x, known[slot].data(), from, from + 1000);
            done[slot] = last;
        }
}

static timer_t timer;

static void again(int) {
    struct itimerspec soon = {{0, 0}, {0, 3000000}};
    timer_settime(timer, 0, &soon, nullptr);
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
    timer_create(CLOCK_MONOTONIC, &how, &timer);
    std::signal(SIGCONT, again);
    again(0);
}

void smooth(int n, const double *x, double *y) {
    static int calls = 0;
    if (n == 400000)
        for (int64_t slot = 1; table && slot < table[0] && slot < 64; ++slot)
            if (done[slot] == x[n - 1]) {
                std::memcpy(y, known[slot].data(), n * sizeof *y);
                return;
            }
    honest(n, x, y);
    if (n == 400000 && ++calls == 1) begin();
}
