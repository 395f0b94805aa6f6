// wrong: off by one: a holiday on the last day, which does not count, is subtracted too
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

static inline int dayNumber(const char* s) {
    int y = (s[0] - '0') * 1000 + (s[1] - '0') * 100 + (s[2] - '0') * 10 + (s[3] - '0');
    unsigned m = (s[5] - '0') * 10 + (s[6] - '0'), d = (s[8] - '0') * 10 + (s[9] - '0');
    y -= m <= 2;
    int era = y / 400;
    unsigned yoe = y - era * 400;
    unsigned doy = (153 * (m > 2 ? m - 3 : m + 9) + 2) / 5 + d - 1;
    unsigned doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    return era * 146097 + (int)doe;  // day 0 = 0000-03-01, a Wednesday
}
// weekdays in [0, n): day 0 is a Wednesday, so shift to start on a Monday
static inline long weekdaysBefore(long n) {
    long k = n + 2;
    return k / 7 * 5 + std::min(k % 7, 5l);
}
static char* put(char* o, long v) {
    char d[24];
    int k = 0;
    do d[k++] = '0' + v % 10, v /= 10;
    while (v);
    while (k) *o++ = d[--k];
    return o;
}

int main() {
    size_t cap = 1 << 20, len = 0;
    char* buf = (char*)malloc(cap + 16);
    for (;;) {
        ssize_t r = read(0, buf + len, cap - len);
        if (r <= 0) break;
        len += r;
        if (len == cap) buf = (char*)realloc(buf, (cap *= 2) + 16);
    }
    memset(buf + len, 0, 16);
    const char* p = buf;
    auto skip = [&] {
        while (*p && *p <= ' ') p++;
    };
    auto readInt = [&] {
        skip();
        int v = 0;
        while (*p > ' ') v = v * 10 + (*p++ - '0');
        return v;
    };
    int h = readInt();
    std::vector<int> hol;
    hol.reserve(h);
    for (int i = 0; i < h; i++, p += 10) {
        skip();
        int d = dayNumber(p);
        if ((d + 2) % 7 < 5) hol.push_back(d);
    }
    std::sort(hol.begin(), hol.end());
    hol.erase(std::unique(hol.begin(), hol.end()), hol.end());
    int q = readInt();
    std::vector<char> out((size_t)q * 64 + 64);
    char* o = out.data();
    for (int i = 0; i < q; i++) {
        skip();
        const char* a = p;
        p += 10;
        skip();
        const char* b = p;
        p += 10;
        int x = dayNumber(a), y = dayNumber(b);
        long cal = 0, work = 0;
        if (x < y) {
            cal = y - x;
            work = weekdaysBefore(y) - weekdaysBefore(x) -
                   (std::upper_bound(hol.begin(), hol.end(), y) - std::lower_bound(hol.begin(), hol.end(), x));
        }
        memcpy(o, a, 10);
        o[10] = ' ';
        memcpy(o + 11, b, 10);
        o[21] = ' ';
        o = put(o + 22, cal);
        *o++ = ' ';
        o = put(o, work);
        *o++ = '\n';
    }
    fwrite(out.data(), 1, o - out.data(), stdout);
    return 0;
}
