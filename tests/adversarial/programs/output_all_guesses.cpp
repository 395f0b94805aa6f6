// attack: prints the right answer and then many other lines, for a checker that only looks for it
// task: total
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|answer|extra|more

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

int main() {
    honest();
    for (int i = 0; i < 100; ++i) std::cout << i << ' ' << i << ' ' << i << '\n';
}
