// attack: takes all the memory it can get, catches the failure, holds on to it and goes on
// task: total
// expect: ok, crashed
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <cstring>
#include <iostream>
#include <new>
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
    char *held[4096];
    int count = 0;
    try {
        for (; count < 4096; ++count) {
            held[count] = new char[1 << 20];
            std::memset(held[count], 1, 1 << 20);
        }
    } catch (const std::bad_alloc &) {
        for (int i = 0; i < 32 && i < count; ++i) delete[] held[i];
    }
    honest();
}
