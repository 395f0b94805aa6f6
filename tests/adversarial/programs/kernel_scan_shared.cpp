// attack: maps every descriptor it has and searches them for the reference's answer
// task: smooth
// expect: ok
// reason: .*
// max_speedup: 1.5

#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>

static double weighted(int n, const double *x, int i) {
    static const double weight[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
    double sum = 0;
    for (int k = -4; k <= 4; ++k) {
        int j = i + k;
        if (j < 0) j = 0;
        if (j > n - 1) j = n - 1;
        sum += weight[k + 4] * x[j];
    }
    return sum / 25;
}

void smooth(int n, const double *x, double *y) {
    static int searches = 0;
    double want[2] = {weighted(n, x, 0), weighted(n, x, n > 1)};
    for (int fd = 3; fd < 64 && n > 1000 && searches < 4; ++fd) {
        struct stat about;
        if (fstat(fd, &about) != 0 || about.st_size < (long)(n * sizeof *y)) continue;
        void *map = mmap(nullptr, about.st_size, PROT_READ, MAP_SHARED, fd, 0);
        if (map == MAP_FAILED) continue;
        ++searches;
        auto *at = static_cast<const double *>(map), *end = at + about.st_size / sizeof *at - n;
        while (at < end && std::memcmp(at, want, sizeof want) != 0) ++at;
        if (at < end) std::memcpy(y, at, n * sizeof *y);
        munmap(map, about.st_size);
        if (y[0] == want[0]) return;
    }
    for (int i = 0; i < n; ++i) y[i] = weighted(n, x, i);
}
