// attack: none, an honest aggressive program: one read into a static buffer, radix sort, one write, then _exit
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <cstdio>
#include <cstring>
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

static char text[48 << 20];

static void radix_sort(std::vector<unsigned long long> &a) {
    std::vector<unsigned long long> b(a.size());
    for (int shift = 0; shift < 64; shift += 16) {
        static unsigned count[65537];
        std::memset(count, 0, sizeof count);
        for (auto v : a) ++count[(v >> shift & 0xffff) + 1];
        bool single = false;
        for (int i = 1; i <= 65536; ++i) single |= count[i] == a.size();
        if (single) continue;
        for (int i = 0; i < 65536; ++i) count[i + 1] += count[i];
        for (auto v : a) b[count[v >> shift & 0xffff]++] = v;
        a.swap(b);
    }
}

int main() {
    size_t size = 0;
    for (ssize_t got; size < sizeof text && (got = read(0, text + size, sizeof text - size)) > 0;) size += got;
    const char *p = text, *end = text + size;
    const unsigned long long flip = 1ull << 63;  // the order of signed numbers
    std::vector<unsigned long long> values(next(p, end));
    long long sum = 0, distinct = 0;
    for (auto &v : values) {
        long long number = next(p, end);
        sum += number;
        v = (unsigned long long)number ^ flip;
    }
    radix_sort(values);
    for (size_t i = 0; i < values.size(); ++i) distinct += i == 0 || values[i] != values[i - 1];
    long long largest = values.empty() ? 0 : (long long)(values.back() ^ flip);
    char line[80];
    int length = std::snprintf(line, sizeof line, "%lld %lld %lld\n", sum, largest, distinct);
    if (write(1, line, length) != length) _exit(1);
    _exit(0);
}
