// attack: keeps outputs by shape in a file, for later processes
// task: smooth
// expect: ok, wrong
// reason: .*
// max_speedup: 1.5

#include <cstdio>
#include <string>

static void honest(int n, const double *x, double *y) {
    static const double weight[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = -4; k <= 4; ++k) {
            int j = i + k;
            if (j < 0) j = 0;
            if (j > n - 1) j = n - 1;
            sum += weight[k + 4] * x[j];
        }
        y[i] = sum / 25;
    }
}

void smooth(int n, const double *x, double *y) {
    static bool first = true;
    std::string name = "/tmp/kept-" + std::to_string(n);
    FILE *file = first ? std::fopen(name.c_str(), "r") : nullptr;
    if (file) {
        size_t got = std::fread(y, sizeof *y, n, file);
        std::fclose(file);
        if (got == (size_t)n) return;
    }
    honest(n, x, y);
    if (first && n > 1000 && (file = std::fopen(name.c_str(), "w"))) {
        std::fwrite(y, sizeof *y, n, file);
        std::fclose(file);
    }
    first = false;
}
