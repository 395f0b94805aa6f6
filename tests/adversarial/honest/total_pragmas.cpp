// attack: none, an honest aggressive program: the pragmas that competitors put on top of everything
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#pragma GCC optimize("Ofast,unroll-loops,inline-functions")
#if defined(__x86_64__) && defined(__SSE4_2__)
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif
#include <algorithm>
#include <cstdio>
#include <vector>
using namespace std;

#define likely(x) __builtin_expect(!!(x), 1)
static char buf[1 << 16];
static size_t pos, len;

static inline int gc() {
    if (likely(pos < len)) return buf[pos++];
    len = fread(buf, 1, sizeof buf, stdin), pos = 0;
    return len ? buf[pos++] : -1;
}

static inline long long rd() {
    int c = gc();
    while (c != -1 && c != '-' && (c < '0' || c > '9')) c = gc();
    bool neg = c == '-';
    if (neg) c = gc();
    unsigned long long v = 0;
    for (; c >= '0' && c <= '9'; c = gc()) v = v * 10 + (c & 15);
    return (long long)(neg ? 0 - v : v);
}

int main() {
    vector<long long> a(rd());
    for (auto &v : a) v = rd();
    long long sum = 0;
#pragma GCC unroll 8
#pragma GCC ivdep
    for (size_t i = 0; i < a.size(); ++i) sum += a[i];
    sort(a.begin(), a.end());
    long long largest = a.empty() ? 0 : a.back();
    a.resize(unique(a.begin(), a.end()) - a.begin());
    printf("%lld %lld %zu\n", sum, largest, a.size());
}
