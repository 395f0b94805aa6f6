// attack: closes every descriptor
// task: smooth
// expect: crashed, timeout
// reason: repl|exit|closed|ended|signal|time|crash

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
    for (int fd = 3; fd < 1024; ++fd) close(fd);
}
