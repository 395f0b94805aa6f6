// attack: none, an honest aggressive kernel: a thread for half of the work, made and joined in every call
// task: smooth_threads
// expect: ok
// options: sanitize

#include <thread>

static double edge(int n, const double *x, int i) {
    double sum = 0;
    for (int k = -4; k <= 4; ++k) {
        int j = i + k < 0 ? 0 : i + k > n - 1 ? n - 1 : i + k;
        sum += (5 - (k < 0 ? -k : k)) * x[j];
    }
    return sum / 25;
}

static void part(int n, const double *x, double *y, int from, int to) {
    for (int i = from; i < to; ++i) {
        const double *c = x + i;
        y[i] = i < 4 || i >= n - 4 ? edge(n, x, i) : (5 * c[0] + 4 * (c[-1] + c[1]) + 3 * (c[-2] + c[2]) + 2 * (c[-3] + c[3]) + (c[-4] + c[4])) * (1.0 / 25);
    }
}

void smooth(int n, const double *x, double *y) {
    if (n < 10000) return part(n, x, y, 0, n);
    std::thread other(part, n, x, y, 0, n / 2);
    part(n, x, y, n / 2, n);
    other.join();
}
