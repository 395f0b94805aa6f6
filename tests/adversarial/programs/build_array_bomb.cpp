// attack: a small source that becomes an executable of 16 GB
// task: total
// expect: build_error
// reason: time|memory|space|size|kill|large|fit|compil

#include <algorithm>
#include <iostream>
#include <set>

char bomb[1ull << 34] = {1};

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
    bomb[1] = 1;
    honest();
}
