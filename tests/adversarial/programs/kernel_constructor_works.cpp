// attack: computes all calls it finds in the shared memory before it is ready, when no clock runs
// task: smooth
// expect: ok, wrong, crashed
// reason: .*
// max_speedup: 1.5

#include <cmath>
#include <cstdint>
#include <sys/mman.h>
#include <sys/stat.h>

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

static int64_t *shared_memory() {
    struct stat about;
    if (fstat(5, &about) != 0 || about.st_size < 4096) return nullptr;
    void *map = mmap(nullptr, about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, 5, 0);
    return map == MAP_FAILED ? nullptr : static_cast<int64_t *>(map);
}

static void work_ahead() {
    int64_t *words = shared_memory();
    if (!words || words[1] != 3) return;
    for (int64_t slot = 0; slot < words[0]; ++slot) {  // per slot: n, offset of x, offset of y
        int64_t *place = words + 2 + slot * 3;
        auto *base = reinterpret_cast<char *>(words);
        auto *x = reinterpret_cast<double *>(base + place[1]), *y = reinterpret_cast<double *>(base + place[2]);
        if ((int)place[0] > 0 && std::isnan(y[0])) honest((int)place[0], x, y);
    }
}

__attribute__((constructor)) static void before() { work_ahead(); }

void smooth(int n, const double *x, double *y) {
    if (std::isfinite(y[0]) && std::isfinite(y[n / 2]) && std::isfinite(y[n - 1])) return;  // done ahead
    honest(n, x, y);
}
