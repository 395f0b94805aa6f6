// attack: none, an honest faster program: sorts and adds up; its words and its shifts look like those of a forger
// task: distances
// expect: ok

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

// Turns as a request to valgrind does, 3, 13, 61 and 51 bits, but not of one register in a row.
static std::uint64_t mixed(std::uint64_t x) {
    x = (x << 3 | x >> 61) ^ 0x9e3779b97f4a7c15;
    x = (x << 13 | x >> 51) + x;
    x = (x << 61 | x >> 3) ^ x;
    return (x << 51 | x >> 13) * 5;
}

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<long long> a(n);
    std::uint64_t hash = 0;
    for (auto &x : a)
        if (std::scanf("%lld", &x) != 1) return 1;
    for (auto x : a) hash = mixed(hash ^ x);
    std::sort(a.begin(), a.end());
    long long sum = 0, before = 0;
    for (int i = 0; i < n; i++) sum += a[i] * i - before, before += a[i];
    std::fprintf(stderr, "==1== I   refs:      %llu\n", (unsigned long long)(hash % 1000));
    std::printf("%lld\n", sum);
}
