// attack: none, an honest aggressive program: threads that ask for a CPU each and go on where they are not given it
// task: total_threads
// expect: ok
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <unistd.h>
#include <vector>

static void pin(int wanted) {
    cpu_set_t allowed, one;
    CPU_ZERO(&one);
    if (pthread_getaffinity_np(pthread_self(), sizeof allowed, &allowed) != 0) return;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &allowed) && wanted-- == 0) CPU_SET(cpu, &one);
    if (CPU_COUNT(&one)) (void)!pthread_setaffinity_np(pthread_self(), sizeof one, &one);
}

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<long long> values(n);
    long long sum = 0;
    for (auto &v : values) {
        if (std::scanf("%lld", &v) != 1) return 1;
        sum += v;
    }
    auto begin = values.begin(), middle = begin + n / 2, end = values.end();
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i)
        threads.emplace_back([=] {
            pin(i);
            std::sort(i ? middle : begin, i ? end : middle);
        });
    for (auto &each : threads) each.join();
    std::inplace_merge(begin, middle, end);
    long long largest = n ? values.back() : 0;
    std::printf("%lld %lld %lld\n", sum, largest, (long long)(std::unique(begin, end) - begin));
}
