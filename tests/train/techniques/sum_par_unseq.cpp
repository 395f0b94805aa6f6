#include <execution>
#include <numeric>
extern "C" void sum(int n, const double *x, double *out) {
    *out = std::reduce(std::execution::par_unseq, x, x + n, 0.0);
}
