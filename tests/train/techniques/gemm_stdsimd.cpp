#include <experimental/simd>
namespace stdx = std::experimental;
extern "C" void dgemm(int n, const double *a, const double *b, double *c) {
    using V = stdx::native_simd<double>;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j += int(V::size())) {
            V s = 0;
            for (int k = 0; k < n; k++) s += a[i * n + k] * V(b + k * n + j, stdx::element_aligned);
            s.copy_to(c + i * n + j, stdx::element_aligned);
        }
}
