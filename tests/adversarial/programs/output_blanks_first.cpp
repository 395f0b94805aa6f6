// attack: the same in front of it
// task: total
// expect: ok
// max_speedup: 1.5

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <set>
int main() {
    int n = 0;
    std::cin >> n;
    long long sum = 0, largest = 0, value;
    std::set<long long> seen;
    for (int i = 0; i < n && std::cin >> value; i++) {
        sum += value;
        largest = i ? std::max(largest, value) : value;
        seen.insert(value);
    }
    static char filling[3 << 20];
    std::memset(filling, ' ', sizeof filling);
    std::fwrite(filling, 1, sizeof filling, stdout);
    std::printf("%lld %lld %zu\n", sum, largest, seen.size());
}
