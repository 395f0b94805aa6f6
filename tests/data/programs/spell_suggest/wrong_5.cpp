// wrong: order dependence: the dictionary is taken to be sorted: of equally close words the alphabetically first wins
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>
typedef uint64_t u64;

static u64 peq[256];

static int myers(int m, const char* t, int n) {
    u64 pv = ~0ull, mv = 0, top = 1ull << (m - 1);
    int score = m;
    for (int j = 0; j < n; j++) {
        u64 eq = peq[(unsigned char)t[j]];
        u64 xv = eq | mv;
        u64 xh = (((eq & pv) + pv) ^ pv) | eq;
        u64 ph = mv | ~(xh | pv), mh = pv & xh;
        score += (ph & top) != 0;
        score -= (mh & top) != 0;
        ph = ph << 1 | 1;
        mh <<= 1;
        pv = mh | ~(xv | ph);
        mv = ph & xv;
    }
    return score;
}
static int plain(const std::string& a, const std::string& b) {  // for words over 64 letters
    std::vector<int> d(b.size() + 1);
    for (size_t j = 0; j <= b.size(); j++) d[j] = (int)j;
    for (size_t i = 1; i <= a.size(); i++) {
        int diag = d[0];
        d[0] = (int)i;
        for (size_t j = 1; j <= b.size(); j++) {
            int up = d[j];
            d[j] = std::min(std::min(up, d[j - 1]) + 1, diag + (a[i - 1] != b[j - 1]));
            diag = up;
        }
    }
    return d[b.size()];
}
static uint32_t letters(const std::string& s) {
    uint32_t m = 0;
    for (unsigned char c : s) m |= 1u << (c & 31);
    return m;
}

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    std::vector<std::string> dict(n);
    size_t longest = 0;
    for (auto& w : dict) {
        std::cin >> w;
        longest = std::max(longest, w.size());
    }
    struct Group {
        std::vector<uint32_t> mask;
        std::vector<int> id;
        std::vector<char> text;
    };
    std::vector<Group> byLen(longest + 1);
    for (int i = 0; i < n; i++) {
        Group& g = byLen[dict[i].size()];
        g.mask.push_back(letters(dict[i]));
        g.id.push_back(i);
        g.text.insert(g.text.end(), dict[i].begin(), dict[i].end());
    }
    int q, corrected = 0;
    std::cin >> q;
    std::string typed, out;
    while (q-- > 0) {
        std::cin >> typed;
        int m = (int)typed.size();
        for (int i = 0; i < m && m <= 64; i++) peq[(unsigned char)typed[i]] |= 1ull << i;
        uint32_t mask = letters(typed);
        int best = 1000000, who = n;
        for (int diff = 0; diff <= best && diff <= std::max(m, (int)longest); diff++)
            for (int side = 0; side < (diff ? 2 : 1); side++) {
                int len = side ? m - diff : m + diff;
                if (len < 0 || len > (int)longest) continue;
                const Group& g = byLen[len];
                for (size_t k = 0; k < g.id.size(); k++) {
                    int lack = __builtin_popcount(mask & ~g.mask[k]), extra = __builtin_popcount(g.mask[k] & ~mask);
                    if (std::max(lack, extra) > best) continue;
                    int d = m <= 64 && m > 0 ? myers(m, &g.text[k * len], len) : plain(typed, dict[g.id[k]]);
                    if (d < best || (d == best && dict[g.id[k]] < dict[who])) best = d, who = g.id[k];
                }
            }
        for (unsigned char c : typed) peq[c] = 0;
        if (who < n) out += typed + " -> " + dict[who] + " (" + std::to_string(best) + ")\n";
        corrected += best > 0;
    }
    out += std::to_string(corrected) + " words corrected\n";
    std::cout.write(out.data(), out.size());
    return 0;
}
