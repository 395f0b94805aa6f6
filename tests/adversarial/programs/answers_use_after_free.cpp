// attack: reads memory it has freed, and gets away with it in a plain build
// task: total
// expect: crashed
// reason: sanitizer|use.after.free|freed
// options: sanitize

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
    int *volatile block = new int[1000]();
    delete[] block;
    volatile int sink = block[500];
    (void)sink;
    honest();
}
