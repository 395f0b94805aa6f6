// attack: a socket pair by an assembler label, to hand descriptors around
// task: total
// expect: rejected
// reason: socket|label|asm

#include <algorithm>
#include <iostream>
#include <set>

extern "C" int pair(int, int, int, int *) __asm__("socketpair");

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
    int ends[2];
    pair(1, 1, 0, ends);
    honest();
}
