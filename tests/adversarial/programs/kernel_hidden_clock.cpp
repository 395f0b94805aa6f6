// attack: defines clock_gettime with hidden visibility, local once it is linked
// task: smooth
// expect: rejected
// reason: defines clock_gettime

#include <time.h>
#include <unistd.h>
#include <sys/types.h>
extern "C" __attribute__((visibility("hidden"))) int clock_gettime(clockid_t, struct timespec *t) noexcept { static long k; t->tv_sec = 0; t->tv_nsec = k += 1000; return 0; }
void smooth(int n, const double *x, double *y) {
    static const double weight[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = -4; k <= 4; ++k) { int j = i + k; if (j < 0) j = 0; if (j > n - 1) j = n - 1; sum += weight[k + 4] * x[j]; }
        y[i] = sum / 25;
    }
}
