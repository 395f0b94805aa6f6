// wrong: degenerate case: the search ends at the first pair of coinciding points it meets, though another one may come first
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <vector>

struct P {
    int64_t x, y;
    int id;
};
static int64_t best = INT64_MAX;
static int bi = -1, bj = -1;

static inline void consider(const P& a, const P& b) {
    int64_t dx = a.x - b.x, dy = a.y - b.y, d = dx * dx + dy * dy;
    if (d > best || best == 0) return;  // no pair can be closer
    int i = std::min(a.id, b.id), j = std::max(a.id, b.id);
    if (d < best || i < bi || (i == bi && j < bj)) best = d, bi = i, bj = j;
}

static std::vector<P> tmp, strip;
static void solve(P* p, int n) {  // in: sorted by x, out: sorted by y
    if (n <= 6) {
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) consider(p[i], p[j]);
        std::sort(p, p + n, [](const P& a, const P& b) { return a.y < b.y; });
        return;
    }
    int m = n / 2;
    int64_t mid = p[m].x;
    solve(p, m);
    solve(p + m, n - m);
    std::merge(p, p + m, p + m, p + n, tmp.begin(), [](const P& a, const P& b) { return a.y < b.y; });
    std::copy(tmp.begin(), tmp.begin() + n, p);
    int s = 0;
    for (int i = 0; i < n; i++) {
        int64_t dx = p[i].x - mid;
        if (dx * dx > best) continue;
        for (int k = s - 1; k >= 0; k--) {
            int64_t dy = p[i].y - strip[k].y;
            if (dy * dy > best) break;
            consider(p[i], strip[k]);
        }
        strip[s++] = p[i];
    }
}

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
    const char* c = buf;
    auto num = [&] {
        while (*c && *c <= ' ') c++;
        bool neg = *c == '-';
        c += neg;
        int64_t v = 0;
        while ((unsigned)(*c - '0') < 10) v = v * 10 + (*c++ - '0');
        return neg ? -v : v;
    };
    int n = (int)num();
    std::vector<P> p(n);
    std::vector<int64_t> xs(n), ys(n);
    for (int i = 0; i < n; i++) {
        xs[i] = p[i].x = num();
        ys[i] = p[i].y = num();
        p[i].id = i;
    }
    for (int i = 0; i < n && i < 10; i++) {
        int64_t near = INT64_MAX;
        int who = -1;
        for (int j = 0; j < n; j++) {
            int64_t dx = xs[j] - xs[i], dy = ys[j] - ys[i], d = dx * dx + dy * dy;
            if (d < near && j != i) near = d, who = j;
        }
        printf("point %d: nearest %d at %.3f\n", i, who, who < 0 ? 1e18 : std::sqrt((double)near));
    }
    tmp.resize(n);
    strip.resize(n);
    std::sort(p.begin(), p.end(), [](const P& a, const P& b) { return a.x < b.x; });
    solve(p.data(), n);
    printf("closest pair: %d %d at %.3f\n", bi, bj, bi < 0 ? 1e18 : std::sqrt((double)best));
    return 0;
}
