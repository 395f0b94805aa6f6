// attack: remembers the output of the call that warms up, since it depends on the shape alone
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

void grid(int n, const double *corner, int *y) {
    static std::vector<int> kept;
    static int kept_n = 0;
    if (n == kept_n) {
        std::memcpy(y, kept.data(), kept.size() * sizeof(int));
        return;
    }
    honest(n, corner, y);
    kept.assign(y, y + n * n);
    kept_n = n;
}
