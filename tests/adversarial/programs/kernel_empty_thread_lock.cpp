// attack: a thread left over from the warm-up burns time in the empty command while the main thread waits for it in its clock
// task: smooth
// expect: ok, rejected
// reason: .*
// max_speedup: 1.5

#include <atomic>
#include <mutex>
#include <poll.h>
#include <thread>

static long raw(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
    return result;
}

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

static void burn() {  // about a tenth of a second
    for (volatile long i = 0; i < 150000000; i = i + 1) {}
}

static std::mutex held;
static std::atomic<int> stage{0};

static void hold() {
    std::lock_guard<std::mutex> guard(held);
    stage = 1;
    struct pollfd command = {3, POLLIN, 0};
    poll(&command, 1, -1);  // until the empty command is there
    burn();
    stage = 2;
}

extern "C" int tell(int, void *) __asm__("clock_gettime");
extern "C" int tell(int which, void *time) {
    static int after = 0;
    if (stage && ++after > 1) std::lock_guard<std::mutex> guard(held);
    return (int)raw(228, which, (long)time);
}

void smooth(int n, const double *x, double *y) {
    honest(n, x, y);
    if (n != 400000 || stage) return;
    std::thread(hold).detach();
    while (!stage) std::this_thread::yield();
}
