// attack: jumps back into the frame of an earlier call instead of returning
// task: smooth
// expect: crashed, wrong, timeout
// reason: signal|crash|segv|abort|exit|time|repl|forg|differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written

#include <csetjmp>

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
    static std::jmp_buf back;
    static int calls = 0;
    if (calls++ == 0) {
        honest(n, x, y);
        if (setjmp(back) == 0) return;
        return;
    }
    std::longjmp(back, 1);
}
