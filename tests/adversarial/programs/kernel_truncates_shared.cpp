// attack: truncates the shared memory under the harness, which would die of SIGBUS
// task: smooth
// expect: ok, crashed, wrong, rejected
// reason: .*
// max_speedup: 1.5

#include <sys/stat.h>
#include <unistd.h>

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

void smooth(int n, const double *x, double *y) {
    honest(n, x, y);
    for (int fd = 3; fd < 64; ++fd) {
        struct stat about;
        if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && ftruncate(fd, 0) != 0) continue;
    }
}
