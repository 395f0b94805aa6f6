// attack: raises its priority and scheduling class and takes every processor, by raw system calls
// task: total
// expect: ok, rejected
// reason: .*
// max_speedup: 1.5

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
    int top = 99;
    unsigned long all = ~0ul;
    raw(141, 0, 0, -20);              // setpriority
    raw(141, 0, raw(110), 19);        // of the parent
    raw(144, 0, 1, (long)&top);       // sched_setscheduler(SCHED_FIFO)
    raw(203, 0, sizeof all, (long)&all);  // sched_setaffinity
    honest();
}
