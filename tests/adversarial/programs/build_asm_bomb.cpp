// attack: has the assembler write 16 GB
// task: total
// expect: build_error, rejected
// reason: time|memory|space|size|kill|asm|compil

#include <algorithm>
#include <iostream>
#include <set>

__asm__(".data\n.fill 0x40000000, 8, 0x5a5a5a5a\n.fill 0x40000000, 8, 0x5a5a5a5a\n.text");

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

int main() { honest(); }
