// attack: none, an honest aggressive program: reads, writes and leaves by system call instructions of its own
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <sys/syscall.h>
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

#if defined(__x86_64__)
static long raw(long number, long a, long b, long c) {
    long result;
    asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}
static long get(char *to, size_t size) { return raw(SYS_read, 0, (long)to, size); }
static long put(const char *from, size_t size) { return raw(SYS_write, 1, (long)from, size); }
static void leave(int status) { raw(SYS_exit_group, status, 0, 0); }
#else
static long get(char *to, size_t size) { return read(0, to, size); }
static long put(const char *from, size_t size) { return write(1, from, size); }
static void leave(int status) { _exit(status); }
#endif

int main() {
    std::vector<char> text(1 << 20);
    size_t size = 0;
    for (long got; (got = get(text.data() + size, text.size() - size)) > 0;) {
        size += got;
        if (size == text.size()) text.resize(2 * size);
    }
    const char *p = text.data(), *end = p + size;
    std::vector<long long> values(next(p, end));
    long long sum = 0;
    for (auto &v : values) sum += v = next(p, end);
    std::sort(values.begin(), values.end());
    long long largest = values.empty() ? 0 : values.back();
    long long distinct = std::unique(values.begin(), values.end()) - values.begin();
    char line[80];
    int length = std::snprintf(line, sizeof line, "%lld %lld %lld\n", sum, largest, distinct);
    leave(put(line, length) == length ? 0 : 1);
}
