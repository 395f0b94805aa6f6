// attack: a million tokens behind the answer
// task: total
// expect: wrong
// reason: wrong output

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
    std::memset(filling, '1', sizeof filling);
    for (size_t i = 1; i < sizeof filling; i += 2) filling[i] = ' ';
    std::printf("%lld %lld %zu\n", sum, largest, seen.size());
    std::fwrite(filling, 1, sizeof filling, stdout);
}
