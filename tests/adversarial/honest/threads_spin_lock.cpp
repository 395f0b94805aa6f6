// attack: none, an honest aggressive program: spin locks and thread-local sets, merged under the lock
// task: total_threads
// expect: ok
// options: sanitize

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <sched.h>
#include <thread>
#include <unordered_set>
#include <vector>

struct Spin {
    std::atomic_flag held = ATOMIC_FLAG_INIT;
    void lock() {
        for (int tries = 0; held.test_and_set(std::memory_order_acquire); ++tries) {
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
            if (tries % 64 == 63) sched_yield();
        }
    }
    void unlock() { held.clear(std::memory_order_release); }
};

static Spin spin;
static std::unordered_set<long long> all;
static long long sum, largest;
static bool any;
static thread_local std::unordered_set<long long> mine;

static void work(const long long *v, int n) {
    long long part = 0;
    for (int i = 0; i < n; ++i) part += v[i], mine.insert(v[i]);
    spin.lock();
    sum += part;
    if (n) largest = any ? std::max(largest, *std::max_element(v, v + n)) : *std::max_element(v, v + n), any = true;
    all.merge(mine);
    spin.unlock();
}

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<long long> values(n);
    for (auto &v : values)
        if (std::scanf("%lld", &v) != 1) return 1;
    std::thread other(work, values.data(), n / 2);
    work(values.data() + n / 2, n - n / 2);
    other.join();
    std::printf("%lld %lld %zu\n", sum, largest, all.size());
}
