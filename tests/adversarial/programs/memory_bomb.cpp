// attack: allocates and touches memory without end (bounded at 4 GB)
// task: total
// expect: crashed
// reason: memory|alloc

#include <algorithm>
#include <cstring>
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

int main() {
    for (int i = 0; i < 4096; ++i) std::memset(new char[1 << 20], i | 1, 1 << 20);
    honest();
}
