// attack: 32-bit sums that are right for every small test
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
    unsigned sum = 0;
    int largest = 0;
    std::set<int> distinct;
    for (int i = 0; i < n; ++i) {
        int v = 0;
        std::cin >> v;
        sum += (unsigned)v;
        largest = i == 0 ? v : std::max(largest, v);
        distinct.insert(v);
    }
    std::cout << (int)sum << ' ' << largest << ' ' << distinct.size() << std::endl;
}
