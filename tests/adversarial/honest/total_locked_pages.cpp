// attack: none, an honest aggressive program: pages locked and populated beforehand where that is allowed, the size of its input asked of the descriptor
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <sys/ioctl.h>
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
    mlockall(MCL_CURRENT);
    munlockall();
    int waiting = 0;
    if (ioctl(0, FIONREAD, &waiting) != 0 || waiting < 0) waiting = 0;
    size_t room = std::max(waiting + 1, 1 << 16);
    const int access = PROT_READ | PROT_WRITE, how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE;
    char *text = (char *)mmap(nullptr, room, access, how | MAP_LOCKED, -1, 0);
    if (text == (char *)MAP_FAILED) text = (char *)mmap(nullptr, room, access, how, -1, 0);
    if (text == (char *)MAP_FAILED) return 1;
    size_t size = 0;
    for (ssize_t got; (got = read(0, text + size, room - size)) > 0;) {
        size += got;
        if (size < room) continue;
        text = (char *)mremap(text, room, 2 * room, MREMAP_MAYMOVE);
        if (text == (char *)MAP_FAILED) return 1;
        room *= 2;
    }
    const char *p = text, *end = text + size;
    std::vector<long long> values(next(p, end));
    for (auto &v : values) v = next(p, end);
    report(std::move(values));
}
