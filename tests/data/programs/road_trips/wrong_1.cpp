// wrong: off by one: the ring of buckets has no room for the longest road of 120 km
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unistd.h>
#include <unordered_map>
#include <vector>

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
    const char* p = buf;
    auto word = [&] {
        while (*p && *p <= ' ') p++;
        const char* b = p;
        while (*p > ' ') p++;
        return std::string_view(b, p - b);
    };
    auto number = [&] {
        int v = 0;
        for (char c : word()) v = v * 10 + (c - '0');
        return v;
    };
    struct Edge {
        int a, b, km;
    };
    struct Arc {
        int to, km;
    };
    int m = number();
    std::vector<Edge> edges(m);
    std::unordered_map<std::string_view, int> ids;
    ids.reserve(m);
    auto idOf = [&](std::string_view s) { return ids.emplace(s, (int)ids.size()).first->second; };
    for (auto& e : edges) {
        e.a = idOf(word());
        e.b = idOf(word());
        e.km = number();
    }
    int n = (int)ids.size();
    std::vector<int> first(n + 2, 0);
    for (auto& e : edges) first[e.a + 1]++, first[e.b + 1]++;
    for (int i = 0; i < n; i++) first[i + 1] += first[i];
    std::vector<Arc> arcs(2 * (size_t)m);
    std::vector<int> fill(first.begin(), first.end());
    for (auto& e : edges) {
        arcs[fill[e.a]++] = {e.b, e.km};
        arcs[fill[e.b]++] = {e.a, e.km};
    }
    int q = number();
    struct Trip {
        std::string_view from, to;
        int a, b;
        int dist;
    };
    std::vector<Trip> trips(q);
    for (auto& t : trips) {
        t.from = word();
        t.to = word();
        auto i = ids.find(t.from), j = ids.find(t.to);
        t.a = i == ids.end() ? -1 : i->second;
        t.b = j == ids.end() ? -1 : j->second;
        t.dist = t.from == t.to ? 0 : -1;
    }
    std::vector<int> order;
    for (int i = 0; i < q; i++)
        if (trips[i].a >= 0 && trips[i].b >= 0 && trips[i].dist < 0) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](int x, int y) { return trips[x].a < trips[y].a; });
    std::vector<int> dist(n), want(n, 0);
    const int RING = 120;
    std::vector<std::vector<int>> ring(RING);
    const int INF = 0x7fffffff;
    for (size_t i = 0; i < order.size();) {
        size_t j = i;
        int src = trips[order[i]].a, left = 0;
        for (; j < order.size() && trips[order[j]].a == src; j++)
            if (!want[trips[order[j]].b]) want[trips[order[j]].b] = 1, left++;
        std::fill(dist.begin(), dist.end(), INF);
        dist[src] = 0;
        // Dial's algorithm: roads are 1 to 120 km long, so a ring of buckets is enough
        for (auto& b : ring) b.clear();
        ring[0].push_back(src);
        size_t open = 1;
        for (int d = 0; open && left; d++) {
            for (size_t x = 0; x < ring[d % RING].size(); x++, open--) {
                int u = ring[d % RING][x];
                if (d != dist[u]) continue;
                if (want[u]) {
                    want[u] = 0;
                    left--;
                }
                for (int k = first[u]; k < first[u + 1]; k++) {
                    int nd = d + arcs[k].km, v = arcs[k].to;
                    if (nd < dist[v]) {
                        dist[v] = nd;
                        ring[nd % RING].push_back(v);
                        open++;
                    }
                }
            }
            ring[d % RING].clear();
        }
        for (size_t k = i; k < j; k++) {
            Trip& t = trips[order[k]];
            want[t.b] = 0;
            t.dist = dist[t.b] == INF ? -1 : dist[t.b];
        }
        i = j;
    }
    long total = 0;
    std::string out;
    for (auto& t : trips) {
        out.append(t.from).append(" -> ").append(t.to);
        if (t.dist < 0) {
            out += ": no road\n";
        } else {
            out += ": " + std::to_string(t.dist) + " km\n";
            total += t.dist;
        }
    }
    out += "total " + std::to_string(total) + " km\n";
    fwrite(out.data(), 1, out.size(), stdout);
    return 0;
}
