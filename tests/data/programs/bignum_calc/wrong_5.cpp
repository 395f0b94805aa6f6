// wrong: order dependence: a sum without a carry keeps the highest limb of an earlier result
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

typedef uint64_t u64;
typedef unsigned __int128 u128;
static const u64 BASE = 1000000000000000000ull;
typedef std::vector<u64> Big;

static void parse(Big& v, const char* b, const char* e) {
    while (b + 1 < e && *b == '0') b++;
    size_t n = e - b;
    v.resize((n + 17) / 18);
    for (size_t i = 0; i < v.size(); i++) {
        const char* lo = e - b > 18 ? e - 18 : b;
        u64 x = 0;
        for (const char* c = lo; c < e; c++) x = x * 10 + (*c - '0');
        v[i] = x;
        e = lo;
    }
}
static void trim(Big& v) {
    while (v.size() > 1 && v.back() == 0) v.pop_back();
}
static bool less(const Big& a, const Big& b) {
    if (a.size() != b.size()) return a.size() < b.size();
    for (size_t i = a.size(); i-- > 0;)
        if (a[i] != b[i]) return a[i] < b[i];
    return false;
}
static void add(Big& r, const Big& a, const Big& b) {
    if (a.size() < b.size()) return add(r, b, a);
    if (r.size() < a.size() + 1) r.resize(a.size() + 1);
    u64 carry = 0;
    for (size_t i = 0; i < a.size(); i++) {
        u64 s = a[i] + carry + (i < b.size() ? b[i] : 0);
        carry = s >= BASE;
        r[i] = carry ? s - BASE : s;
    }
    if (carry) r[a.size()] = 1;
    r.resize(a.size() + (r[a.size()] != 0));
}
static void sub(Big& r, const Big& a, const Big& b) {
    r.resize(a.size());
    u64 borrow = 0;
    for (size_t i = 0; i < a.size(); i++) {
        u64 d = (i < b.size() ? b[i] : 0) + borrow;
        borrow = a[i] < d;
        r[i] = borrow ? a[i] + BASE - d : a[i] - d;
    }
    trim(r);
}
static void mul(Big& r, const Big& a, const Big& b) {
    size_t n = a.size(), m = b.size();
    r.resize(n + m);
    u128 carry = 0;
    for (size_t k = 0; k < n + m; k++) {
        u128 acc = carry, over = 0;
        size_t lo = k >= m ? k - m + 1 : 0, hi = k < n ? k : n - 1;
        size_t cnt = 0;
        for (size_t i = lo; i <= hi && k - i < m; i++) {
            acc += (u128)a[i] * b[k - i];
            if (++cnt == 250) {  // keep the accumulator below 2^128
                over += acc / BASE;
                acc %= BASE;
                cnt = 0;
            }
        }
        u128 q = acc / BASE;
        r[k] = (u64)(acc - q * BASE);
        carry = q + over;
    }
    trim(r);
}

int main() {
    size_t cap = 1 << 21, len = 0;
    char* buf = (char*)malloc(cap + 1);
    for (;;) {
        ssize_t r = read(0, buf + len, cap - len);
        if (r <= 0) break;
        len += r;
        if (len == cap) buf = (char*)realloc(buf, (cap *= 2) + 1);
    }
    buf[len] = 0;
    std::vector<char> out(2 * len + 4096);
    char* o = out.data();
    Big a, b, r;
    const char* p = buf;
    auto token = [&](const char*& tb, const char*& te) {
        while (*p && *p <= ' ') p++;
        tb = p;
        while (*p > ' ') p++;
        te = p;
        return te > tb;
    };
    const char *ab, *ae, *ob, *oe, *bb, *be;
    while (token(ab, ae) && token(ob, oe) && token(bb, be)) {
        parse(a, ab, ae);
        parse(b, bb, be);
        if (*ob == '+') add(r, a, b);
        else if (*ob == '*') mul(r, a, b);
        else if (less(a, b)) {
            *o++ = '-';
            sub(r, b, a);
        } else {
            sub(r, a, b);
        }
        char d[20];
        int k = 0;
        for (u64 x = r.back(); k == 0 || x; x /= 10) d[k++] = '0' + x % 10;
        while (k) *o++ = d[--k];
        for (size_t i = r.size() - 1; i-- > 0;) {
            u64 x = r[i];
            for (int c = 17; c >= 0; c--, x /= 10) o[c] = '0' + x % 10;
            o += 18;
        }
        *o++ = '\n';
    }
    fwrite(out.data(), 1, o - out.data(), stdout);
    return 0;
}
