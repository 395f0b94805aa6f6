#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

int main() {
    int n, length, steps;
    if (std::scanf("%d %d %d", &n, &length, &steps) != 3) return 1;
    std::vector<int> pos(n), speed(n, 0), limit(n), order(n);
    for (int i = 0; i < n; i++) {
        char kind[16];
        if (std::scanf("%15s %d", kind, &pos[i]) != 2) return 1;
        limit[i] = std::strcmp(kind, "car") == 0 ? 5 : 3;
    }
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return pos[a] < pos[b]; });
    for (int t = 0; t < steps; t++) {
        long moved = 0;
        for (int k = 0; k < n; k++) {
            int i = order[k], ahead = order[k + 1 < n ? k + 1 : 0];
            int behind = order[k > 0 ? k - 1 : n - 1];
            int gap = n == 1 ? length : (pos[ahead] - pos[i] + length) % length;
            if (n > 1 && pos[behind] == pos[i]) gap = 0;
            int s = std::min(speed[i] + 1, limit[i]);
            if (s > gap - 1) s = gap > 0 ? gap - 1 : 0;
            speed[i] = s;
            moved += s;
        }
        for (int i = 0; i < n; i++) pos[i] = (pos[i] + speed[i]) % length;
        auto first = std::min_element(order.begin(), order.end(), [&](int a, int b) { return pos[a] < pos[b]; });
        std::rotate(order.begin(), first, order.end());
        std::printf("t=%d moved %ld\n", t, moved);
    }
}
