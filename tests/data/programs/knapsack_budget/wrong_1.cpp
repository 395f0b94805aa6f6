// wrong: off by one: the row has a word too few when the budget is a multiple of 64, so the full budget itself is never filled in
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

template <class T>
static void solve(int n, int budget, const std::vector<std::string>& name, const std::vector<int>& cost,
                  const std::vector<long long>& benefit) {
    size_t words = (size_t)(budget + 63) / 64;
    std::vector<uint64_t> took((size_t)n * words + 1, 0);
    std::vector<T> row(words * 64 + 64, 0);
    std::vector<long long> suffix(n + 1, 0);  // budget that later projects could still use up
    for (int i = n - 1; i >= 0; i--) suffix[i] = suffix[i + 1] + cost[i];
    for (int i = 0; i < n; i++) {
        int c = cost[i];
        if (c > budget) continue;
        T v = (T)benefit[i];
        // cells below budget - (sum of later costs) are never read again
        size_t wc = ((size_t)c + 63) / 64;
        long long lowest = std::max<long long>(0, budget - suffix[i + 1]);
        size_t w0 = std::max(wc, (size_t)lowest / 64);
        uint64_t* bits = &took[(size_t)i * words];
        for (size_t w = words; w-- > w0;) {  // in place, from the top down
            T* s = row.data() + w * 64;
            const T* t = s - c;
            T take[64];
            for (int k = 0; k < 64; k++) take[k] = t[k] + v;
            uint32_t m[2] = {0, 0};
            for (int k = 0; k < 32; k++) m[0] |= (uint32_t)(take[k] > s[k]) << k;
            for (int k = 0; k < 32; k++) m[1] |= (uint32_t)(take[32 + k] > s[32 + k]) << k;
            for (int k = 0; k < 64; k++) s[k] = take[k] > s[k] ? take[k] : s[k];
            bits[w] = (uint64_t)m[1] << 32 | m[0];
        }
        if (w0 == wc && c % 64 != 0)  // the word that contains cell c
            for (size_t b = std::min<size_t>(wc * 64 - 1, (size_t)budget); b >= (size_t)c; b--)
                if (row[b - c] + v > row[b]) {
                    row[b] = row[b - c] + v;
                    bits[wc - 1] |= 1ull << (b & 63);
                }
    }
    std::vector<int> chosen;
    int rem = budget;
    for (int i = n - 1; i >= 0; i--)
        if (took[(size_t)i * words + std::min<size_t>(rem / 64, words - 1)] >> (rem & 63) & 1) {
            chosen.push_back(i);
            rem -= cost[i];
        }
    long long total = 0, gain = 0;
    for (int i : chosen) total += cost[i], gain += benefit[i];
    std::cout << "benefit " << gain << " cost " << total << "\n";
    for (size_t k = chosen.size(); k-- > 0;)
        std::cout << name[chosen[k]] << " " << cost[chosen[k]] << " " << benefit[chosen[k]] << "\n";
}

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n, budget;
    std::cin >> n >> budget;
    std::vector<std::string> name(n);
    std::vector<int> cost(n);
    std::vector<long long> benefit(n);
    long long sum = 0;
    for (int i = 0; i < n; i++) {
        std::cin >> name[i] >> cost[i] >> benefit[i];
        sum += benefit[i];
    }
    if (sum < (1ll << 30)) solve<int32_t>(n, budget, name, cost, benefit);
    else solve<int64_t>(n, budget, name, cost, benefit);
    return 0;
}
