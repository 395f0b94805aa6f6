// attack: none, an honest aggressive program: threads of C++20 that wait for each other by a latch, a barrier and atomic waits
// task: total_threads
// expect: ok
// options: sanitize

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdio>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<long long> values(n);
    std::latch ready(1);
    std::barrier both(2);
    std::binary_semaphore merged(0);
    std::atomic<int> sorted{0};
    long long sum = 0;
    auto begin = values.begin();
    auto middle = begin + n / 2;
    std::jthread other([&] {
        ready.wait();
        std::sort(begin, middle);
        both.arrive_and_wait();
        sorted.fetch_add(1);
        sorted.notify_one();
        merged.acquire();
    });
    bool whole = true;
    for (auto &v : values) {
        whole = whole && std::scanf("%lld", &v) == 1;
        sum += v;
    }
    ready.count_down();
    std::sort(middle, values.end());
    both.arrive_and_wait();
    sorted.wait(0);
    merged.release();
    std::inplace_merge(begin, middle, values.end());
    long long largest = values.empty() ? 0 : values.back();
    std::printf("%lld %lld %lld\n", sum, largest, (long long)(std::unique(begin, values.end()) - begin));
    return whole ? 0 : 1;
}
