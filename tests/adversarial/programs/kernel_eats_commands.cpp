// attack: reads the harness's commands away from every descriptor
// task: smooth
// expect: ok, crashed, timeout, wrong, rejected
// reason: .*
// max_speedup: 1.5

#include <fcntl.h>
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
    static char block[4096];
    honest(n, x, y);
    for (int fd = 3; fd < 64; ++fd) {
        int flags = fcntl(fd, F_GETFL);
        if (flags < 0 || lseek(fd, 0, SEEK_CUR) >= 0) continue;
        fcntl(fd, F_SETFL, flags | O_NONBLOCK);
        while (read(fd, block, sizeof block) > 0) {}
        fcntl(fd, F_SETFL, flags);
    }
}
