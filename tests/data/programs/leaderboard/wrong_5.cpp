// wrong: duplicates: a second round with the lowest score is not the second worst: a higher one is dropped instead
#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

struct Row {
    uint64_t key;  // larger is better
    const char* name;
    const char* club;
    uint16_t nameLen, clubLen;
};

static int compareNames(const Row& a, const Row& b) {
    size_t n = std::min(a.nameLen, b.nameLen);
    for (size_t i = 0; i < n; i++) {
        unsigned char x = a.name[i], y = b.name[i];
        if ((unsigned)(x - 'A') < 26) x += 32;
        if ((unsigned)(y - 'A') < 26) y += 32;
        if (x != y) return x < y ? -1 : 1;
    }
    if (a.nameLen != b.nameLen) return a.nameLen < b.nameLen ? -1 : 1;
    return memcmp(a.name, b.name, n);
}

static char* putInt(char* o, int v) {
    char d[12];
    int k = 0;
    if (v < 0) *o++ = '-', v = -v;
    do d[k++] = '0' + v % 10, v /= 10;
    while (v);
    while (k) *o++ = d[--k];
    return o;
}

int main() {
    size_t cap = 1 << 22, len = 0;
    char* buf = (char*)malloc(cap + 1);
    for (;;) {
        ssize_t r = read(0, buf + len, cap - len);
        if (r <= 0) break;
        len += r;
        if (len == cap) buf = (char*)realloc(buf, (cap *= 2) + 1);
    }
    buf[len] = 0;
    const char* p = buf;
    auto skip = [&] {
        while (*p && *p <= ' ') p++;
    };
    auto readInt = [&] {
        skip();
        bool neg = *p == '-';
        if (neg) p++;
        int v = 0;
        while ((unsigned)(*p - '0') < 10) v = v * 10 + (*p++ - '0');
        return neg ? -v : v;
    };
    int n = readInt(), rounds = readInt();
    std::vector<Row> rows(n);
    for (int i = 0; i < n; i++) {
        Row& r = rows[i];
        skip();
        r.name = p;
        while (*p > ' ') p++;
        r.nameLen = p - r.name;
        skip();
        r.club = p;
        while (*p > ' ') p++;
        r.clubLen = p - r.club;
        int total = 0, best = 0, low1 = INT_MAX, low2 = INT_MAX;
        for (int k = 0; k < rounds; k++) {
            int v = readInt();
            total += v;
            best = std::max(best, v);
            if (v < low1) low2 = low1, low1 = v;
            else if (v > low1 && v < low2) low2 = v;
        }
        int season = rounds <= 2 ? 0 : total - low1 - low2;
        r.key = (uint64_t)season << 42 | (uint64_t)total << 20 | (uint64_t)best;
    }
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        if (a.key != b.key) return a.key > b.key;
        return compareNames(a, b) < 0;
    });
    std::vector<char> out;
    out.resize(len + (size_t)n * 48 + 64);
    char* o = out.data();
    int place = 1;
    for (int i = 0; i < n; i++) {
        const Row& r = rows[i];
        if (i && (r.key >> 42) != (rows[i - 1].key >> 42)) place = i + 1;
        o = putInt(o, place);
        *o++ = '.';
        *o++ = ' ';
        memcpy(o, r.name, r.nameLen);
        o += r.nameLen;
        *o++ = ' ';
        *o++ = '(';
        memcpy(o, r.club, r.clubLen);
        o += r.clubLen;
        *o++ = ')';
        *o++ = ' ';
        o = putInt(o, (int)(r.key >> 42));
        memcpy(o, " / ", 3);
        o += 3;
        o = putInt(o, (int)(r.key >> 20 & 0x3fffff));
        *o++ = '\n';
    }
    fwrite(out.data(), 1, o - out.data(), stdout);
    return 0;
}
