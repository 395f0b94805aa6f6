#include <cstddef>
#include <algorithm>
class Multiplier {
public:
    explicit Multiplier(std::size_t block) : block_(block) {}
    void run(std::size_t n, const double *a, const double *b, double *c) const {
        for (std::size_t x = 0; x < n * n; ++x) c[x] = 0;
        for (std::size_t i0 = 0; i0 < n; i0 += block_)
            for (std::size_t k0 = 0; k0 < n; k0 += block_)
                tile(n, i0, std::min(i0 + block_, n), k0, std::min(k0 + block_, n), a, b, c);
    }
private:
    static void tile(std::size_t n, std::size_t i0, std::size_t i1, std::size_t k0, std::size_t k1,
                     const double *a, const double *b, double *c) {
        for (std::size_t i = i0; i < i1; ++i)
            for (std::size_t k = k0; k < k1; ++k)
                for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
    std::size_t block_;
};
extern "C" void multiply(int n, const double *a, const double *b, double *c) { Multiplier(64).run(n, a, b, c); }
