// attack: none, an honest aggressive program: a ring buffer in a memory file that is mapped twice side by side, so that numbers never wrap
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
    const size_t size = 1 << 18;
    int file = memfd_create("ring", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, size) != 0) return 1;
    char *ring = (char *)mmap(nullptr, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (char *half : {ring, ring + size})
        if (mmap(half, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) return 1;
    close(file);
    size_t begin = 0, end = 0;  // not wrapped: positions are modulo size
    bool more = true;
    auto number = [&] {
        if (more && end - begin < 64) {
            for (ssize_t got = 1; end - begin < size && got > 0; end += got) {
                got = read(0, ring + end % size, size - (end - begin));
                if (got <= 0) more = false, got = 0;
            }
        }
        const char *start = ring + begin % size, *p = start;
        long long v = next(p, start + (end - begin));
        begin += p - start;
        return v;
    };
    std::vector<long long> values(number());
    for (auto &v : values) v = number();
    report(std::move(values));
}
