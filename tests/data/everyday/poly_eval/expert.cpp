#include <cstdio>
#include <vector>

int main() {
    int n, q;
    if (std::scanf("%d %d", &n, &q) != 2) return 1;
    std::vector<double> p(n), squared(2 * n - 1, 0.0);
    for (auto& c : p)
        if (std::scanf("%lf", &c) != 1) return 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) squared[i + j] += p[i] * p[j];
    double x;
    while (q-- && std::scanf("%lf", &x) == 1) {
        double y = 0, slope = 0, power = 1, before = 0;
        for (int i = 0; i < (int)squared.size(); i++) {
            y += squared[i] * power;
            slope += i * squared[i] * before;
            before = power;
            power *= x;
        }
        std::printf("%.4f %.4f\n", y, slope);
    }
}
