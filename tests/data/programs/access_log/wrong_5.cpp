// wrong: order dependence: a line is counted for the endpoint of the line before when the two paths agree in length and in their last ten bytes
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unistd.h>
#include <vector>

struct Endpoint {
    std::string_view path;
    uint64_t hash;
    long requests, errors, clients;
    long long bytes;
};

static inline uint64_t mix(uint64_t x) {
    x *= 0x9E3779B97F4A7C15ull;
    return x ^ (x >> 29);
}
static inline uint64_t hashBytes(const char* p, size_t n) {
    uint64_t h = n;
    while (n >= 8) {
        uint64_t v;
        memcpy(&v, p, 8);
        h = mix(h ^ v);
        p += 8;
        n -= 8;
    }
    uint64_t v = 0;
    memcpy(&v, p, n);
    return mix(mix(h ^ v));
}

int main() {
    size_t cap = 1 << 22, len = 0;
    char* buf = (char*)malloc(cap + 64);
    for (;;) {
        ssize_t r = read(0, buf + len, cap - len);
        if (r <= 0) break;
        len += r;
        if (len == cap) buf = (char*)realloc(buf, (cap *= 2) + 64);
    }
    std::vector<Endpoint> eps;
    std::vector<int> table(1 << 12, -1);
    size_t tmask = table.size() - 1;
    std::vector<uint64_t> seen(1 << 14, 0);  // (endpoint+1)<<32 | ip
    size_t smask = seen.size() - 1, seenCount = 0;
    long byHour[100] = {0}, skipped = 0;

    std::string_view lastPath;
    int lastId = -1, id;
    const char *p = buf, *end = buf + len;
    while (p < end) {
        const char* eol = (const char*)memchr(p, '\n', end - p);
        if (!eol) eol = end;
        const char* tb[10];
        const char* te[10];
        int nt = 0;
        const char* q = p;
        while (nt < 10) {
            while (q < eol && *q == ' ') q++;
            if (q >= eol) break;
            tb[nt] = q;
            while (q < eol && *q != ' ') q++;
            te[nt++] = q;
        }
        p = eol + 1;
        if (nt < 10) {
            skipped++;
            continue;
        }
        uint32_t ip = 0, part = 0;
        for (const char* c = tb[0]; c < te[0]; c++) {
            if (*c == '.') ip = ip << 8 | part, part = 0;
            else part = part * 10 + (*c - '0');
        }
        ip = ip << 8 | part;
        const char *pb = tb[6], *pe = te[6];
        if (const char* qm = (const char*)memchr(pb, '?', pe - pb)) pe = qm;
        if (pe - pb > 1 && pe[-1] == '/') pe--;
        size_t pn = pe - pb;
        if (pn == lastPath.size() && (pn < 10 ? lastPath == std::string_view(pb, pn) : memcmp(lastPath.data() + pn - 10, pb + pn - 10, 10) == 0)) {
            id = lastId;  // runs of one endpoint are common
        } else {
        uint64_t h = hashBytes(pb, pn);
        size_t slot = h & tmask;
        while ((id = table[slot]) >= 0) {
            const Endpoint& e = eps[id];
            if (e.hash == h && e.path.size() == pn && memcmp(e.path.data(), pb, pn) == 0) break;
            slot = (slot + 1) & tmask;
        }
        if (id < 0) {
            id = table[slot] = (int)eps.size();
            eps.push_back({std::string_view(pb, pn), h, 0, 0, 0, 0});
            if (eps.size() * 2 > table.size()) {
                table.assign(table.size() * 4, -1);
                tmask = table.size() - 1;
                for (size_t i = 0; i < eps.size(); i++) {
                    size_t s = eps[i].hash & tmask;
                    while (table[s] >= 0) s = (s + 1) & tmask;
                    table[s] = (int)i;
                }
            }
        }
        }
        lastPath = std::string_view(pb, pn);
        lastId = id;
        Endpoint& e = eps[id];
        e.requests++;
        if (tb[8][0] >= '4' && te[8] - tb[8] == 3) e.errors++;
        if (tb[9][0] != '-') {
            long long v = 0;
            for (const char* c = tb[9]; c < te[9]; c++) v = v * 10 + (*c - '0');
            e.bytes += v;
        }
        uint64_t key = (uint64_t)(id + 1) << 32 | ip;
        size_t s = mix(key) >> 7 & smask;
        while (seen[s] && seen[s] != key) s = (s + 1) & smask;
        if (!seen[s]) {
            seen[s] = key;
            e.clients++;
            if (++seenCount * 2 > seen.size()) {
                std::vector<uint64_t> bigger(seen.size() * 4, 0);
                smask = bigger.size() - 1;
                for (uint64_t k : seen)
                    if (k) {
                        size_t t = mix(k) >> 7 & smask;
                        while (bigger[t]) t = (t + 1) & smask;
                        bigger[t] = k;
                    }
                seen.swap(bigger);
            }
        }
        const char* colon = (const char*)memchr(tb[3], ':', te[3] - tb[3]);
        byHour[(colon[1] - '0') * 10 + (colon[2] - '0')]++;
    }
    size_t k = std::min<size_t>(25, eps.size());
    std::partial_sort(eps.begin(), eps.begin() + k, eps.end(), [](const Endpoint& a, const Endpoint& b) {
        return a.requests != b.requests ? a.requests > b.requests : a.path < b.path;
    });
    printf("endpoints %zu skipped %ld\n", eps.size(), skipped);
    for (size_t i = 0; i < k; i++)
        printf("%.*s %ld %ld %lld %ld\n", (int)eps[i].path.size(), eps[i].path.data(), eps[i].requests, eps[i].errors,
               eps[i].bytes, eps[i].clients);
    for (int hr = 0; hr < 100; hr++)
        if (byHour[hr]) printf("hour %d: %ld\n", hr, byHour[hr]);
    return 0;
}
