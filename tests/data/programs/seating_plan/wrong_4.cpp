// wrong: degenerate case: the best value starts at zero, so tables where every order is unhappy report zero and the order of the list
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

// Depth-first over the seats in the order of guest numbers, cut off by the best
// value that the seats still free could add.
struct Table {
    int n = 0, top = 0, best = 0;
    std::vector<int> h, order, bestOrder;
    std::vector<char> seated;

    void seat(int value) {
        const int placed = (int)order.size();
        if (placed == n) {
            if (value > best) best = value, bestOrder = order;
            return;
        }
        if (placed && value + (n - placed) * top <= best) return;
        for (int g = 0; g < n; g++) {
            if (seated[g]) continue;
            seated[g] = 1;
            const int gain = placed ? h[order.back() * n + g] : 0;
            order.push_back(g);
            seat(value + gain);
            order.pop_back();
            seated[g] = 0;
        }
    }
};

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int tables;
    std::cin >> tables;
    for (int t = 1; t <= tables; t++) {
        Table s;
        std::cin >> s.n;
        std::vector<std::string> names(s.n);
        for (auto& name : names) std::cin >> name;
        s.h.resize((size_t)s.n * s.n);
        for (auto& x : s.h) std::cin >> x;
        for (int i = 0; i < s.n; i++)
            for (int j = 0; j < s.n; j++)
                if (i != j) s.top = std::max(s.top, s.h[(size_t)i * s.n + j]);
        for (int g = 0; g < s.n; g++) s.bestOrder.push_back(g);
        s.seated.assign(s.n, 0);
        s.seat(0);
        std::cout << "Table " << t << ": " << s.best << "\n";
        for (int g : s.bestOrder) std::cout << " " << names[g];
        std::cout << "\n";
    }
}
