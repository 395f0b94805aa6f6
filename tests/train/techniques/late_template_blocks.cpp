#include <array>
#include <cstring>
template <int N> struct Tile { std::array<double, N * N> data; };
template <int N>
static void load(Tile<N> &t, const double *b, int ldb) {
    for (int r = 0; r < N; ++r) std::memcpy(&t.data[r * N], b + r * ldb, sizeof(double) * N);
}
extern "C" void gemm(int n, const double *a, const double *b, double *c) {
    constexpr int N = 64;
    static Tile<N> t;
    std::memset(c, 0, sizeof(double) * n * n);
    for (int k0 = 0; k0 < n; k0 += N)
        for (int j0 = 0; j0 < n; j0 += N) {
            load<N>(t, b + k0 * n + j0, n);
            for (int i = 0; i < n; ++i)
                for (int k = 0; k < N; ++k)
                    for (int j = 0; j < N; ++j) c[i * n + j0 + j] += a[i * n + k0 + k] * t.data[k * N + j];
        }
}
