// attack: raises its priority and scheduling class and takes every processor, to steal time from the baseline
// task: total
// expect: ok, rejected
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <iostream>
#include <sched.h>
#include <set>
#include <sys/resource.h>
#include <unistd.h>

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
    setpriority(PRIO_PROCESS, 0, -20);
    if (getppid() > 0) setpriority(PRIO_PROCESS, getppid(), 19);
    sched_param top{};
    top.sched_priority = 99;
    sched_setscheduler(0, SCHED_FIFO, &top);
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int cpu = 0; cpu < 64; ++cpu) CPU_SET(cpu, &all);
    sched_setaffinity(0, sizeof all, &all);
    honest();
}
