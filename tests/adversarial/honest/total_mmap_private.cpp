// attack: none, an honest aggressive program: its input mapped privately and populated, advice on how it is read
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <sys/mman.h>
#include <sys/stat.h>
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
    struct stat info;
    if (fstat(0, &info) != 0 || info.st_size == 0) return 1;
    void *text = mmap(nullptr, info.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_POPULATE, 0, 0);
    if (text == MAP_FAILED) return 1;
    madvise(text, info.st_size, MADV_SEQUENTIAL);
    madvise(text, info.st_size, MADV_WILLNEED);
    const char *p = (const char *)text, *end = p + info.st_size;
    std::vector<long long> values(next(p, end));
    for (auto &v : values) v = next(p, end);
    report(std::move(values));
}
