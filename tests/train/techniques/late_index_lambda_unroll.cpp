#include <cstddef>
extern "C" void dot(int n, const double *x, const double *y, double *out) {
    double acc[4] = {0, 0, 0, 0};
    std::size_t i = 0, m = n;
    for (; i + 4 <= m; i += 4) {
        acc[0] += x[i + 0] * y[i + 0];
        acc[1] += x[i + 1] * y[i + 1];
        acc[2] += x[i + 2] * y[i + 2];
        acc[3] += x[i + 3] * y[i + 3];
    }
    double s = acc[0] + acc[1] + acc[2] + acc[3];
    while (i < m) { s += x[i] * y[i]; i++; }
    *out = s;
}
