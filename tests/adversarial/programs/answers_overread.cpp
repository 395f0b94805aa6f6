// attack: reads one element past a vector and gets away with it in a plain build
// task: total
// expect: crashed
// reason: sanitizer|overflow|out.of.bounds
// options: sanitize

#include <algorithm>
#include <iostream>
#include <set>
#include <vector>

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
    std::vector<int> table(1000, 1);
    int *volatile start = table.data();
    volatile int sink = start[1000];
    (void)sink;
    honest();
}
