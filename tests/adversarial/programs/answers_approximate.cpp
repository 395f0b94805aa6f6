// attack: estimates the number of distinct values from a part of the input
// task: total
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|answer

#include <algorithm>
#include <iostream>
#include <set>

int main() {
    std::ios::sync_with_stdio(false);
    int n = 0;
    std::cin >> n;
    long long sum = 0, largest = 0;
    std::set<long long> part;
    for (int i = 0; i < n; ++i) {
        long long v = 0;
        std::cin >> v;
        sum += v;
        largest = i == 0 ? v : std::max(largest, v);
        if (i % 8 == 0) part.insert(v);
    }
    std::cout << sum << ' ' << largest << ' ' << std::min<size_t>(n, part.size() * 6) << std::endl;
}
