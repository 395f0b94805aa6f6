// attack: waits for a condition that nobody signals, on some inputs
// task: total
// expect: ok, timeout
// reason: .*
// max_speedup: 1.2
// options: confirm

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>
#include <chrono>
#include <condition_variable>
#include <mutex>

static char buffer[1 << 23];

int main() {
    buffer[fread(buffer, 1, sizeof buffer - 1, stdin)] = 0;
    char *at = buffer;
    auto number = [&] {
        while (*at && *at <= ' ') ++at;
        bool negative = *at == '-';
        at += negative;
        long long value = 0;
        while (*at >= '0') value = value * 10 + *at++ - '0';
        return negative ? -value : value;
    };
    int n = number();
    std::vector<long long> values(n);
    long long sum = 0;
    for (auto &each : values) sum += each = number();
    long long largest = *std::max_element(values.begin(), values.end());
    if (n > 1000 && (uint64_t(sum) * 0x9E3779B97F4A7C15u >> 59) < 9) {
        std::mutex mutex;
        std::condition_variable never;
        std::unique_lock lock(mutex);
        never.wait_for(lock, std::chrono::milliseconds(250), [] { return false; });
    }
    std::sort(values.begin(), values.end());
    int different = std::unique(values.begin(), values.end()) - values.begin();
    printf("%lld %lld %d\n", sum, largest, different);
}
