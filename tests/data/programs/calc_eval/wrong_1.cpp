// wrong: off by one: a sum of exactly the modulus is not reduced to zero
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

static const uint32_t MOD = 1000003;
struct Slot {
    const char* name;
    uint32_t len, value;
    uint64_t hash;
};
static std::vector<Slot> table(1 << 12, Slot{nullptr, 0, 0, 0});
static size_t mask = (1 << 12) - 1, used = 0;
static const char* p;

static Slot& lookup(const char* s, uint32_t n, uint64_t h) {
    size_t i = (h ^ (h >> 17)) & mask;
    while (table[i].name && !(table[i].hash == h && table[i].len == n && memcmp(table[i].name, s, n) == 0))
        i = (i + 1) & mask;
    return table[i];
}
static void grow() {
    std::vector<Slot> old(table.size() * 4, Slot{nullptr, 0, 0, 0});
    old.swap(table);
    mask = table.size() - 1;
    for (Slot& s : old)
        if (s.name) lookup(s.name, s.len, s.hash) = s;
}
static inline bool isAlpha(char c) { return (unsigned)((c | 32) - 'a') < 26; }
static inline bool isDigit(char c) { return (unsigned)(c - '0') < 10; }
static bool alnum[256];
static inline void skip() {
    while (*p == ' ' || *p == '\t') p++;
}
static inline void scanName(const char*& s, uint32_t& n, uint64_t& h) {
    s = p;
    h = 0;
    while (alnum[(unsigned char)*p]) h = h * 33 + (unsigned char)*p++;
    h *= 0x9E3779B97F4A7C15ull;
    h ^= h >> 32;
    n = (uint32_t)(p - s);
}

static uint32_t sum();
static uint32_t atom() {
    skip();
    if (isDigit(*p)) {
        uint64_t v = 0;
        while (isDigit(*p)) v = v * 10 + (*p++ - '0');
        return (uint32_t)(v % MOD);
    }
    if (*p == '(') {
        p++;
        uint32_t v = sum();
        p++;
        return v;
    }
    const char* s;
    uint32_t n;
    uint64_t h;
    scanName(s, n, h);
    if (n == 3 && s[0] == 'm' && ((s[1] == 'a' && s[2] == 'x') || (s[1] == 'i' && s[2] == 'n'))) {
        skip();
        p++;
        uint32_t a = sum();
        p++;
        uint32_t b = sum();
        p++;
        return s[1] == 'a' ? std::max(a, b) : std::min(a, b);
    }
    return lookup(s, n, h).value;
}
static uint32_t product() {
    uint32_t v = atom();
    for (skip(); *p == '*'; skip()) {
        p++;
        v = (uint32_t)((uint64_t)v * atom() % MOD);
    }
    return v;
}
static uint32_t sum() {
    uint32_t v = product();
    for (;;) {  // product() leaves p at the next significant character
        if (*p == '+') {
            p++;
            v += product();
            if (v > MOD) v -= MOD;
        } else if (*p == '-') {
            p++;
            v += MOD - product();
            if (v >= MOD) v -= MOD;
        } else {
            return v;
        }
    }
}

int main() {
    size_t cap = 1 << 22, len = 0;
    char* buf = (char*)malloc(cap + 2);
    for (;;) {
        ssize_t r = read(0, buf + len, cap - len);
        if (r <= 0) break;
        len += r;
        if (len == cap) buf = (char*)realloc(buf, (cap *= 2) + 2);
    }
    buf[len] = '\n';
    buf[len + 1] = 0;
    for (int c = 0; c < 256; c++) alnum[c] = isAlpha((char)c) || isDigit((char)c);
    std::vector<char> out(1 << 16);
    size_t o = 0;
    p = buf;
    const char* end = buf + len;
    while (p < end) {
        skip();
        if (!isAlpha(*p)) {
            while (*p != '\n') p++;
            p++;
            continue;
        }
        const char* s;
        uint32_t n;
        uint64_t h;
        scanName(s, n, h);
        skip();
        p++;  // '='
        uint32_t v = sum();
        Slot& slot = lookup(s, n, h);
        bool fresh = !slot.name;
        slot = Slot{s, n, v, h};
        if (fresh && ++used * 2 > table.size()) grow();
        if (o + n + 32 > out.size()) out.resize(out.size() * 2 + n);
        memcpy(&out[o], s, n);
        o += n;
        memcpy(&out[o], " = ", 3);
        o += 3;
        char d[12];
        int k = 0;
        do d[k++] = '0' + v % 10, v /= 10;
        while (v);
        while (k) out[o++] = d[--k];
        out[o++] = '\n';
        while (*p != '\n') p++;
        p++;
    }
    fwrite(out.data(), 1, o, stdout);
    return 0;
}
