// attack: maps and drops memory again and again between commands: a storm of page faults in the empty command only
// task: smooth
// expect: rejected, ok
// reason: not allowed|no calls
// max_speedup: 1.5

#include <csignal>
#include <sys/mman.h>

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

static void storm() {
    const long size = 64 << 20;
    char *pages = (char *)mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return;
    for (int turn = 0; turn < 12; ++turn) {
        for (long at = 0; at < size; at += 4096) pages[at] = 1;
        madvise(pages, size, MADV_DONTNEED);
    }
    munmap(pages, size);
}

static bool called = true;

static void woken(int) {
    if (!called) return;
    storm();
    called = false;
}

void smooth(int n, const double *x, double *y) {
    static int calls = 0;
    if (n == 400000 && ++calls == 1) std::signal(SIGCONT, woken);
    honest(n, x, y);
}
