// attack: returns from main at once and works in a static destructor, for a clock that stops with main
// task: total
// expect: ok
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <iostream>
#include <set>

static void honest() {
    std::ios::sync_with_stdio(false);
    int n = 0;
    std::cin >> n;
    long long sum = 0, largest = 0;
    std::set<long long> distinct;
    for (int i = 0; i < n; ++i) {
        long long v = 0;
        std::cin >> v;
        sum += v;
        largest = i == 0 ? v : std::max(largest, v);
        distinct.insert(v);
    }
    std::cout << sum << ' ' << largest << ' ' << distinct.size() << std::endl;
}

static struct Late {
    ~Late() { honest(); }
} late;

int main() {}
