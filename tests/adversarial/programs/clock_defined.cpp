// attack: defines clock_gettime, so that every clock in the process stands still
// task: total
// expect: ok, rejected
// reason: clock
// max_speedup: 1.5

#include <algorithm>
#include <ctime>
#include <iostream>
#include <set>

extern "C" int clock_gettime(clockid_t, struct timespec *t) noexcept {
    static long ticks = 0;
    t->tv_sec = 0;
    t->tv_nsec = ++ticks;
    return 0;
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

int main() { honest(); }
