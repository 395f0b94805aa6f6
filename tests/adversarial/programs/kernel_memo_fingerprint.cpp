// attack: remembers outputs by shape and by what is in the inputs, for inputs that are always the same
// task: grid
// expect: ok
// reason: .*
// max_speedup: 1.2

#include <array>
#include <map>
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

void grid(int n, const double *corner, int *y) {
    static std::map<std::array<double, 3>, std::vector<int>> kept;
    auto &known = kept[{double(n), corner[0], corner[1]}];
    if (known.empty()) {
        honest(n, corner, y);
        known.assign(y, y + n * n);
    }
    for (int i = 0; i < n * n; ++i) y[i] = known[i];
}
