// attack: floods standard error (bounded at 1 GB), then works honestly
// task: total
// expect: crashed, ok, timeout
// reason: output|stderr|standard error|time|^$|ok|pass
// max_speedup: 1.5

#include <algorithm>
#include <cstdio>
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
    std::vector<char> block(1 << 20, '7');
    for (int i = 0; i < 1024; ++i) std::fwrite(block.data(), 1, block.size(), stderr);
    honest();
}
