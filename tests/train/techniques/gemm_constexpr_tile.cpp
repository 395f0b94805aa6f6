#include <algorithm>
namespace {
constexpr int kTile = 1 << 6;
}
extern "C" void dgemm(int n, const double *a, const double *b, double *c) {
    std::fill(c, c + n * n, 0.0);
    for (int k0 = 0; k0 < n; k0 += kTile)
        for (int j0 = 0; j0 < n; j0 += kTile) {
            const int k1 = std::min(n, k0 + kTile);
            const int j1 = std::min(n, j0 + kTile);
            for (int i = 0; i < n; ++i)
                for (int k = k0; k < k1; ++k)
                    for (int j = j0; j < j1; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
}
