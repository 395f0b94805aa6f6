// wrong: tie rule: customers who spent equally much are ranked by their place in the list, not by code
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

typedef std::string_view sv;

static inline uint64_t hashOf(sv s) {
    uint64_t h = s.size() * 0x9E3779B97F4A7C15ull;
    const char* p = s.data();
    size_t n = s.size();
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t v;
        memcpy(&v, p, 8);
        h = (h ^ v) * 0xff51afd7ed558ccdull;
        h ^= h >> 32;
    }
    uint64_t v = 0;
    memcpy(&v, p, n);
    h = (h ^ v) * 0xff51afd7ed558ccdull;
    return h ^ (h >> 32);
}
struct Index {  // key -> last position it was added with
    std::vector<std::pair<sv, int>> slot;
    size_t mask;
    explicit Index(size_t n) {
        size_t c = 16;
        while (c < 2 * n) c *= 2;
        slot.assign(c, {sv(), -1});
        mask = c - 1;
    }
    int find(sv k) const {
        for (size_t i = hashOf(k) & mask;; i = (i + 1) & mask)
            if (slot[i].second < 0 || slot[i].first == k) return slot[i].second;
    }
    void add(sv k, int v) {
        size_t i = hashOf(k) & mask;
        while (slot[i].second >= 0) {
            if (slot[i].first == k) break;
            i = (i + 1) & mask;
        }
        slot[i] = {k, v};
    }
};
static int intern(std::vector<sv>& names, sv s) {
    for (size_t i = 0; i < names.size(); i++)
        if (names[i] == s) return (int)i;
    names.push_back(s);
    return (int)names.size() - 1;
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
    const char* p = buf;
    auto word = [&] {
        while (*p && *p <= ' ') p++;
        const char* b = p;
        while (*p > ' ') p++;
        return sv(b, p - b);
    };
    auto number = [&] {
        long long v = 0;
        for (char c : word()) v = v * 10 + (c - '0');
        return v;
    };
    int nc = (int)number();
    std::vector<sv> code(nc), name(nc), countries, categories;
    std::vector<int> country(nc);
    Index byCode(nc);
    for (int i = 0; i < nc; i++) {
        code[i] = word();
        name[i] = word();
        country[i] = intern(countries, word());
        byCode.add(code[i], i);
    }
    int np = (int)number();
    std::vector<int> category(np);
    std::vector<long long> cents(np);
    Index bySku(np);
    for (int i = 0; i < np; i++) {
        bySku.add(word(), i);
        category[i] = intern(categories, word());
        cents[i] = number();
    }
    size_t K = categories.size();
    std::vector<long long> sales(countries.size() * K, 0), spent(nc, 0);
    std::vector<char> soldHere(countries.size() * K, 0), bought(nc, 0);
    int no = (int)number(), unmatched = 0;
    for (int i = 0; i < no; i++) {
        int c = byCode.find(word()), s = bySku.find(word());
        long long q = number();
        if (c < 0 || s < 0) {
            unmatched++;
            continue;
        }
        long long amount = cents[s] * q;
        size_t cell = country[c] * K + category[s];
        sales[cell] += amount;
        soldHere[cell] = 1;
        spent[c] += amount;
        bought[c] = 1;
    }
    std::vector<int> cells;
    for (size_t i = 0; i < sales.size(); i++)
        if (soldHere[i]) cells.push_back((int)i);
    std::sort(cells.begin(), cells.end(), [&](int a, int b) {
        sv ca = countries[a / K], cb = countries[b / K];
        return ca != cb ? ca < cb : categories[a % K] < categories[b % K];
    });
    std::string out;
    for (int c : cells)
        out.append(countries[c / K]).append(" ").append(categories[c % K]).append(" ").append(std::to_string(sales[c])).append("\n");
    std::vector<int> rank;
    for (int i = 0; i < nc; i++)
        if (bought[i]) rank.push_back(i);
    size_t k = std::min<size_t>(10, rank.size());
    std::partial_sort(rank.begin(), rank.begin() + k, rank.end(),
                      [&](int a, int b) { return spent[a] != spent[b] ? spent[a] > spent[b] : a < b; });
    for (size_t i = 0; i < k; i++)
        out.append(std::to_string(i + 1)).append(". ").append(name[rank[i]]).append(" (").append(code[rank[i]]).append(") ")
            .append(std::to_string(spent[rank[i]])).append("\n");
    out += "unmatched: " + std::to_string(unmatched) + "\n";
    fwrite(out.data(), 1, out.size(), stdout);
    return 0;
}
