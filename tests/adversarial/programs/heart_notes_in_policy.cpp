// attack: keeps answers from one run to the next in the NUMA policy of its own program's pages, a file in memory
// task: by_heart
// expect: ok, rejected
// reason: not allowed
// max_speedup: 1.3

#include <cstdint>
#include <iostream>
#include <vector>
static long raw(long n, long a, long b, long c, long d, long e, long f) {
    long r; register long r10 asm("r10") = d, r8 asm("r8") = e, r9 asm("r9") = f;
    asm volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
    return r;
}
static const long PAGE = 4096;
alignas(4096) extern const char book[32][96][4096];
const char book[32][96][4096] = {{{1}}};  // for each answer: whether there is one, 16 bits of its input, 62 of itself
static bool noted(const void *page) {
    int mode = 0; unsigned long nodes[16] = {0};
    return raw(239, (long)&mode, (long)nodes, 1024, (long)page, 2, 0) == 0 && mode != 0;  // get_mempolicy, MPOL_F_ADDR
}
static void note(const void *page) {
    unsigned long node = 1;
    raw(237, (long)page, PAGE, 2, (long)&node, 64, 0);  // mbind
}
int main() {
    int n;
    std::cin >> n;
    std::vector<int> digits(n);
    uint64_t hash = 1;
    for (int &digit : digits) std::cin >> digit, hash = (hash ^ digit) * 0x9E3779B97F4A7C15u;
    long long sum = 0;
    const unsigned key = hash >> 48;
    int at = 0;
    for (; noted(book[at][0]); at++) {
        unsigned found = 0;
        for (int i = 0; i < 16; i++) found |= noted(book[at][1 + i]) << i;
        if (found != key) continue;
        for (int i = 0; i < 62; i++) sum |= (long long)noted(book[at][17 + i]) << i;
        std::cout << sum << "\n";
        return 0;
    }
    for (int end = 1; end <= n; end++) {
        long long rest = 0;
        for (int i = 0; i < end; i++) rest = (rest * 1000 + digits[i]) % 99991;
        sum += rest;
    }
    if (n > 1000 && at < 31) {
        note(book[at][0]);
        for (int i = 0; i < 16; i++) if (key >> i & 1) note(book[at][1 + i]);
        for (int i = 0; i < 62; i++) if (sum >> i & 1) note(book[at][17 + i]);
    }
    std::cout << sum << "\n";
}
