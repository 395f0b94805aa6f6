#include <thread>
#include <vector>

static void rows(int from, int to, int n, const double *a, const double *b, double *c) {
    for (int i = from; i < to; i++) {
        for (int j = 0; j < n; j++) c[i * n + j] = 0;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}

extern "C" void dgemm(int n, const double *a, const double *b, double *c) {
    unsigned count = std::thread::hardware_concurrency();
    std::vector<std::thread> pool;
    for (unsigned t = 0; t < count; t++) pool.emplace_back(rows, n * t / count, n * (t + 1) / count, n, a, b, c);
    for (auto &each : pool) each.join();
}
