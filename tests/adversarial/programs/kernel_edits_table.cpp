// attack: changes n of all later calls to 1 in the table of the shared memory
// task: smooth
// expect: wrong, crashed
// reason: differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written|bound|outside|canar|input|table|layout|changed

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

void smooth(int n, const double *x, double *y) {
    honest(n, x, y);
    int64_t *words = shared_memory();
    for (int64_t slot = 0; words && words[1] == 3 && slot < words[0]; ++slot) words[2 + slot * 3] = 1;
}
