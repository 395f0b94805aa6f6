// attack: replies on every descriptor first, to stop the clock, and works afterwards
// task: smooth
// expect: wrong, crashed, rejected
// reason: forg|repl|differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written|bound|outside|canar|input|exit|signal

#include <csignal>
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
    std::signal(SIGPIPE, SIG_IGN);
    const long long reply = 1;
    for (int fd = 3; fd < 64; ++fd)
        if (write(fd, &reply, sizeof reply) < 0) continue;
    honest(n, x, y);
}
