// attack: vfork under another name by an assembler label
// task: total
// expect: rejected
// reason: fork|clone|process|label|asm

#include <algorithm>
#include <iostream>
#include <set>

extern "C" int begin() __asm__("vfork");
extern "C" void finish(int) __asm__("_exit");

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
    if (begin() == 0) finish(0);
    honest();
}
