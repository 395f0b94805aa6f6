// attack: none, an honest aggressive program: a thread that reads while another parses, over one CPU, handing blocks over by atomics
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <sched.h>
#include <thread>
#include <unistd.h>
#include <vector>

static void report(std::vector<long long> values) {
    long long sum = 0;
    for (long long v : values) sum += v;
    std::sort(values.begin(), values.end());
    long long largest = values.empty() ? 0 : values.back();
    long long distinct = std::unique(values.begin(), values.end()) - values.begin();
    std::printf("%lld %lld %lld\n", sum, largest, distinct);
}

static char blocks[4][1 << 15];
static int sizes[4];
static std::atomic<unsigned> filled{0}, emptied{0};

static void fill() {
    for (unsigned i = 0;; ++i) {
        while (i - emptied.load(std::memory_order_acquire) >= 4) sched_yield();
        int got = (int)read(0, blocks[i % 4], sizeof blocks[0]);
        sizes[i % 4] = got;
        filled.store(i + 1, std::memory_order_release);
        if (got <= 0) return;
    }
}

int main() {
    std::thread reader(fill);
    std::vector<long long> values;
    unsigned long long v = 0;
    bool negative = false, digits = false;
    auto store = [&] {
        if (digits) values.push_back((long long)(negative ? 0 - v : v));
        v = 0, negative = false, digits = false;
    };
    for (unsigned i = 0;; ++i) {
        while (filled.load(std::memory_order_acquire) <= i) sched_yield();
        int size = sizes[i % 4];
        if (size <= 0) break;
        for (int k = 0; k < size; ++k) {
            char c = blocks[i % 4][k];
            if (unsigned(c - '0') <= 9) v = v * 10 + (c - '0'), digits = true;
            else if (c == '-') negative = true;
            else store();
        }
        emptied.store(i + 1, std::memory_order_release);
    }
    store();
    reader.join();
    size_t n = values.empty() ? 0 : values[0];
    if (!values.empty()) values.erase(values.begin());
    values.resize(n);
    report(std::move(values));
}
