// attack: takes the supervisor's open descriptors with pidfd_getfd
// task: total
// expect: rejected
// reason: pidfd|asm

#include <algorithm>
#include <iostream>
#include <set>

static long raw(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
    return result;
}

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
    long supervisor = raw(434, raw(110), 0);  // pidfd_open(getppid())
    for (int fd = 3; fd < 128; ++fd) raw(438, supervisor, fd, 0);  // pidfd_getfd
    honest();
}
