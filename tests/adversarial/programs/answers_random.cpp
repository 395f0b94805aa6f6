// attack: right most of the time: drops the last value in one run of eight
// task: total
// expect: wrong, ok
// reason: differ|expected|mismatch|wrong|output|answer|^$|ok|pass
// max_speedup: 1.5

#include <algorithm>
#include <iostream>
#include <random>
#include <set>

int main() {
    std::ios::sync_with_stdio(false);
    int n = 0;
    std::cin >> n;
    n -= std::random_device()() % 8 == 0;
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
