#include <algorithm>
#include <thread>
#include <vector>
extern "C" void multiply(int n, const double *a, const double *b, double *c) {
    constexpr int T = 128;
    auto band = [&](int lo, int hi) {
        for (int kk = 0; kk < n; kk += T) {
            const int ke = std::min(n, kk + T);
            for (int i = lo; i < hi; ++i)
                for (int k = kk; k < ke; ++k)
                    for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
    };
    std::fill_n(c, n * n, 0.0);
    std::vector<std::thread> workers;
    for (int t = 0; t < 4; ++t) workers.emplace_back(band, n * t / 4, n * (t + 1) / 4);
    for (auto &w : workers) w.join();
}
