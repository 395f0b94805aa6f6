// attack: a hundred thousand warnings, to flood the log of the build
// task: total
// expect: ok, build_error
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <iostream>
#include <set>

#define W _Pragma("GCC warning \"flood flood flood flood flood flood flood flood\"")
#define A(x) x x x x x x x x x x
#define B(x) A(A(A(A(A(x)))))
B(W)

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

int main() { honest(); }
