// attack: posix_spawn under another name by an assembler label
// task: total
// expect: rejected
// reason: spawn|clone|fork|process|label|asm

#include <algorithm>
#include <iostream>
#include <set>

extern "C" int begin(int *, const char *, const void *, const void *, char *const *, char *const *) __asm__("posix_spawn");

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

int main(int argc, char **argv) {
    int child = 0;
    char *none[] = {nullptr}, *arguments[] = {argv[0], argv[0], nullptr};
    if (argc == 1) begin(&child, argv[0], nullptr, nullptr, arguments, none);
    honest();
}
