// wrong: order dependence: the table of values is kept from one table of guests to the next, so a smaller one after a larger one starts from old values
#include <algorithm>
#include <climits>
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int tables;
    std::cin >> tables;
    std::vector<int> value;
    std::string out;
    for (int t = 1; t <= tables; t++) {
        int n;
        std::cin >> n;
        std::vector<std::string> names(n);
        for (auto& s : names) std::cin >> s;
        std::vector<int> h((size_t)n * n);
        for (auto& x : h) std::cin >> x;
        const int full = (1 << n) - 1;
        if (value.size() < (size_t)(full + 1) * n) value.resize((size_t)(full + 1) * n, 0);  // grows, never shrinks
        for (int mask = full - 1; mask > 0; mask--)
            for (int left = mask; left; left &= left - 1) {
                int last = __builtin_ctz(left), best = INT_MIN;
                for (int rest = full & ~mask; rest; rest &= rest - 1) {
                    int g = __builtin_ctz(rest);
                    best = std::max(best, h[last * n + g] + value[(size_t)(mask | 1 << g) * n + g]);
                }
                value[(size_t)mask * n + last] = best;
            }
        int best = n ? INT_MIN : 0, last = -1, mask = 0;
        for (int g = 0; g < n; g++)
            if (value[(size_t)(1 << g) * n + g] > best) best = value[(size_t)(1 << g) * n + g], last = g;
        out += "Table " + std::to_string(t) + ": " + std::to_string(best) + "\n";
        if (n) {
            mask = 1 << last;
            out += " " + names[last];
        }
        while (mask != full) {
            int want = value[(size_t)mask * n + last];
            for (int g = 0; g < n; g++)
                if (!(mask >> g & 1) && h[last * n + g] + value[(size_t)(mask | 1 << g) * n + g] == want) {
                    mask |= 1 << g;
                    last = g;
                    out += " " + names[g];
                    break;
                }
        }
        out += "\n";
    }
    std::cout.write(out.data(), out.size());
    return 0;
}
