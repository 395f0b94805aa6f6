// attack: none, an honest aggressive program: its input mapped shared and read-only, its size found by seeking
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

static long long next(const char *&p, const char *end) {
    while (p < end && *p != '-' && unsigned(*p - '0') > 9) ++p;
    bool negative = p < end && *p == '-';
    p += negative;
    unsigned long long v = 0;
    for (; p < end && unsigned(*p - '0') <= 9; ++p) v = v * 10 + (*p - '0');
    return (long long)(negative ? 0 - v : v);
}

static void report(std::vector<long long> values) {
    long long sum = 0;
    for (long long v : values) sum += v;
    std::sort(values.begin(), values.end());
    long long largest = values.empty() ? 0 : values.back();
    long long distinct = std::unique(values.begin(), values.end()) - values.begin();
    std::printf("%lld %lld %lld\n", sum, largest, distinct);
}

int main() {
    off_t size = lseek(0, 0, SEEK_END);
    if (size <= 0) return 1;
    void *text = mmap(nullptr, size, PROT_READ, MAP_SHARED, 0, 0);
    if (text == MAP_FAILED) return 1;
    const char *p = (const char *)text, *end = p + size;
    std::vector<long long> values(next(p, end));
    for (auto &v : values) v = next(p, end);
    report(std::move(values));
    munmap(text, size);
}
