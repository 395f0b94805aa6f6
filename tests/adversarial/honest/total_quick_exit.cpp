// attack: none, an honest aggressive program: quick_exit, so that no destructor runs; its own handler flushes
// task: total
// expect: ok
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unordered_set>

static void flush() { std::fflush(stdout); }

int main() {
    std::at_quick_exit(flush);
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    long long sum = 0, largest = 0;
    static std::unordered_set<long long> distinct;
    distinct.reserve(2 * n);
    for (int i = 0; i < n; ++i) {
        long long v = 0;
        if (std::scanf("%lld", &v) != 1) return 1;
        sum += v;
        largest = i == 0 ? v : std::max(largest, v);
        distinct.insert(v);
    }
    std::printf("%lld %lld %zu\n", sum, largest, distinct.size());
    std::quick_exit(0);
}
