// attack: none, an honest aggressive program: a coroutine that yields the numbers of its input
// task: total_threads
// expect: ok
// options: sanitize

#include <algorithm>
#include <coroutine>
#include <cstdio>
#include <exception>
#include <unordered_set>

struct Numbers {
    struct promise_type {
        long long value = 0;
        Numbers get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(long long v) noexcept { return value = v, std::suspend_always{}; }
        void return_void() noexcept {}
        void unhandled_exception() { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
    bool next(long long &v) {
        handle.resume();
        if (handle.done()) return false;
        v = handle.promise().value;
        return true;
    }
    ~Numbers() { handle.destroy(); }
};

static Numbers numbers() {
    static char block[1 << 16];
    unsigned long long v = 0;
    bool negative = false, digits = false;
    for (size_t got; (got = std::fread(block, 1, sizeof block, stdin)) > 0;)
        for (size_t i = 0; i < got; ++i) {
            char c = block[i];
            if (unsigned(c - '0') <= 9) {
                v = v * 10 + (c - '0'), digits = true;
                continue;
            }
            if (digits) co_yield (long long)(negative ? 0 - v : v);
            v = 0, digits = false, negative = c == '-';
        }
    if (digits) co_yield (long long)(negative ? 0 - v : v);
}

int main() {
    Numbers source = numbers();
    long long n = 0, sum = 0, largest = 0, v = 0;
    if (!source.next(n)) return 1;
    std::unordered_set<long long> distinct;
    distinct.reserve(2 * n);
    for (long long i = 0; i < n && source.next(v); ++i) {
        sum += v;
        largest = i == 0 ? v : std::max(largest, v);
        distinct.insert(v);
    }
    std::printf("%lld %lld %zu\n", sum, largest, distinct.size());
}
