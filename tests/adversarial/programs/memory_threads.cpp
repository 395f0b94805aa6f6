// attack: many threads each take a part of the memory, so that no single allocation is large (bounded at 4 GB)
// task: total
// expect: crashed
// reason: memory|alloc|thread|resource

#include <algorithm>
#include <cstring>
#include <iostream>
#include <set>
#include <thread>
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
    std::vector<std::thread> threads;
    for (int t = 0; t < 16; ++t)
        threads.emplace_back([] {
            for (int i = 0; i < 4096; ++i) std::memset(new char[1 << 16], 1, 1 << 16);
        });
    for (auto &thread : threads) thread.join();
    honest();
}
