// wrong: degenerate case: in a window without spread every reading off the median is flagged
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

typedef long long ll;

int main() {
    size_t cap = 1 << 20, len = 0;
    char* buf = (char*)malloc(cap + 1);
    for (;;) {
        ssize_t r = read(0, buf + len, cap - len);
        if (r <= 0) break;
        len += r;
        if (len == cap) buf = (char*)realloc(buf, (cap *= 2) + 1);
    }
    buf[len] = 0;
    std::vector<int> v;
    v.reserve(len / 3 + 1);
    for (const char* c = buf;;) {
        while (*c && *c <= ' ') c++;
        if (!*c) break;
        bool neg = *c == '-';
        c += neg;
        int x = 0;
        while ((unsigned)(*c - '0') < 10) x = x * 10 + (*c++ - '0');
        v.push_back(neg ? -x : x);
    }
    const size_t w = v[0], n = v.size() - 1;
    const int* a = v.data() + 1;
    if (w > n || w == 0) {
        puts("outliers: 0");
        return 0;
    }
    std::vector<int> win(a, a + w);
    std::sort(win.begin(), win.end());
    int* s = win.data();
    std::vector<char> out((n - w + 1) * 20 + 64);
    char* o = out.data();
    int outliers = 0;
    for (size_t end = w;; end++) {
        const size_t mid = w / 2;
        const ll m2 = w % 2 ? 2ll * s[mid] : (ll)s[mid - 1] + s[mid];  // twice the median
        // left distances m2-2*s[L-1-i], right distances 2*s[L+j]-m2, both ascending; L = number of left elements
        const size_t L = mid, R = w - L;
        auto left = [&](size_t i) { return m2 - 2ll * s[L - 1 - i]; };
        auto right = [&](size_t j) { return 2ll * s[L + j] - m2; };
        const size_t k = w / 2 + 1;  // smallest k distances
        size_t lo = k > R ? k - R : 0, hi = std::min(k, L);
        while (lo < hi) {  // i from the left, k-i from the right
            size_t i = (lo + hi) / 2, j = k - i;
            if (left(i) < right(j - 1)) lo = i + 1;
            else hi = i;
        }
        const size_t i = lo, j = k - lo;
        ll kth, prev;  // k-th and (k-1)-th smallest distances, doubled
        const ll li = i ? left(i - 1) : -1, rj = j ? right(j - 1) : -1;
        if (li > rj) {
            kth = li;
            prev = std::max(i > 1 ? left(i - 2) : -1, rj);
        } else {
            kth = rj;
            prev = std::max(j > 1 ? right(j - 2) : -1, li);
        }
        const ll mad4 = w % 2 ? 2 * kth : kth + prev;  // four times the MAD
        const ll diff4 = 4ll * a[end - 1] - 2 * m2;
        const bool flag = (diff4 > 5 * mad4 || -diff4 > 5 * mad4);
        outliers += flag;

        ll x = m2;
        if (x < 0) *o++ = '-', x = -x;
        ll whole = x / 2;
        char d[24];
        int c = 0;
        do d[c++] = '0' + whole % 10, whole /= 10;
        while (whole);
        while (c) *o++ = d[--c];
        *o++ = '.';
        *o++ = x & 1 ? '5' : '0';
        if (flag) *o++ = ' ', *o++ = '!';
        *o++ = '\n';

        if (end == n) break;
        const int gone = a[end - w], come = a[end];
        int* g = std::lower_bound(s, s + w, gone);
        if (come > gone) {
            int* h = std::lower_bound(g, s + w, come);  // g goes, come lands just before h
            memmove(g, g + 1, (h - g - 1) * sizeof(int));
            h[-1] = come;
        } else if (come < gone) {
            int* h = std::lower_bound(s, g, come);
            memmove(h + 1, h, (g - h) * sizeof(int));
            *h = come;
        }
    }
    o += sprintf(o, "outliers: %d\n", outliers);
    fwrite(out.data(), 1, o - out.data(), stdout);
    return 0;
}
