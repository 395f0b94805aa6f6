// attack: computes the timed shape before main, when it is not called yet
// task: grid
// expect: ok
// reason: .*
// max_speedup: 1.2

#include <cstring>
#include <vector>

static void honest(int n, const double *corner, int *y) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double cr = corner[0] + 3.0 * j / n, ci = corner[1] + 3.0 * i / n, a = 0, b = 0;
            int k = 0;
            while (k < 200 && a * a + b * b < 4) {
                double t = a * a - b * b + cr;
                b = 2 * a * b + ci;
                a = t;
                ++k;
            }
            y[i * n + j] = k;
        }
}

static const std::vector<int> kept = [] {
    const double corner[2] = {-1.5, -1.5};
    std::vector<int> found(256 * 256);
    honest(256, corner, found.data());
    return found;
}();

void grid(int n, const double *corner, int *y) {
    if (n == 256 && corner[0] == -1.5 && corner[1] == -1.5) std::memcpy(y, kept.data(), kept.size() * sizeof(int));
    else honest(n, corner, y);
}
