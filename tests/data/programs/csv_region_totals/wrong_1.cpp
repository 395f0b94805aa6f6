// wrong: off by one: the last column is never looked at, although it may be one of the four needed
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

struct Group {
    int orders = 0;
    long units = 0;
    long long cents = 0;
};
struct Region {
    std::string name;
    std::vector<std::pair<std::string_view, Group>> months;
    std::vector<int16_t> slot = std::vector<int16_t>(4096, -1);  // (year*12+month) & 4095 -> index, 341 years apart
};

static std::string unquote(std::string_view s) {
    std::string r;
    for (char c : s)
        if (c != '"') r += c;
    return r;
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
    if (len == 0 || buf[len - 1] != '\n') buf[len++] = '\n';
    const char *p = buf, *end = buf + len;

    int cRegion = -1, cDate = -1, cQty = -1, cPrice = -1, ncol = 0;
    for (;; p++) {
        const char* b = p;
        while (*p != ',' && *p != '\n') p++;
        std::string_view f(b, p - b);
        if (f == "region") cRegion = ncol;
        if (f == "date") cDate = ncol;
        if (f == "quantity") cQty = ncol;
        if (f == "unit_price") cPrice = ncol;
        ncol++;
        if (*p == '\n') break;
    }
    p++;
    int lastNeeded = std::min(ncol - 2, std::max(std::max(cRegion, cDate), std::max(cQty, cPrice)));  // the rest of the line is skipped
    std::vector<Region> regions;
    std::vector<std::pair<std::string_view, int>> rawNames;  // raw field text -> region id
    Group grand;
    std::vector<std::string_view> field(ncol + 64, "0000-00");
    while (p < end) {
        if (*p == '\n') {
            p++;
            continue;
        }
        for (int c = 0; c <= lastNeeded; c++) {
            const char* b = p;
            while (*p != ',' && *p != '\n') {
                if (*p == '"') {
                    p++;
                    while (*p != '"' && *p != '\n') p++;
                    if (*p == '\n') break;
                }
                p++;
            }
            field[c] = std::string_view(b, p - b);
            if (*p == '\n') break;
            p++;
        }
        if (p[-1] != '\n' && *p != '\n') p = (const char*)memchr(p, '\n', end - p);
        if (*p == '\n') p++;

        std::string_view rf = field[cRegion];
        int id = -1;
        for (auto& rn : rawNames)
            if (rn.first == rf) {
                id = rn.second;
                break;
            }
        if (id < 0) {
            std::string name = unquote(rf);
            for (size_t i = 0; i < regions.size(); i++)
                if (regions[i].name == name) id = (int)i;
            if (id < 0) {
                id = (int)regions.size();
                regions.emplace_back();
                regions.back().name = name;
            }
            rawNames.push_back({rf, id});
        }
        std::string_view month = field[cDate].substr(0, 7);
        Region& reg = regions[id];
        const char* d = month.data();
        int ym = ((d[0] * 10 + d[1]) * 10 + d[2]) * 10 + d[3];
        ym = (ym * 12 + (d[5] * 10 + d[6])) & 4095;
        int m = reg.slot[ym];
        if (m < 0) {
            m = reg.slot[ym] = (int16_t)reg.months.size();
            reg.months.push_back({month, Group()});
        }
        int qty = 0;
        for (char ch : field[cQty]) qty = qty * 10 + (ch - '0');
        long long cents = 0;
        int dec = -1;
        for (char ch : field[cPrice]) {
            if (ch == '.') {
                dec = 0;
            } else {
                cents = cents * 10 + (ch - '0');
                if (dec >= 0) dec++;
            }
        }
        for (int d = dec < 0 ? 0 : dec; d < 2; d++) cents *= 10;
        Group& g = reg.months[m].second;
        g.orders++;
        g.units += qty;
        g.cents += qty * cents;
    }
    std::sort(regions.begin(), regions.end(), [](const Region& a, const Region& b) { return a.name < b.name; });
    for (auto& r : regions) {
        printf("== %s ==\n", r.name.c_str());
        std::sort(r.months.begin(), r.months.end(), [](auto& a, auto& b) { return a.first < b.first; });
        for (auto& [m, g] : r.months) {
            printf("%.*s %d %ld %lld.%02lld\n", (int)m.size(), m.data(), g.orders, g.units, g.cents / 100, g.cents % 100);
            grand.orders += g.orders;
            grand.units += g.units;
            grand.cents += g.cents;
        }
    }
    printf("total %d %ld %lld.%02lld\n", grand.orders, grand.units, grand.cents / 100, grand.cents % 100);
    return 0;
}
