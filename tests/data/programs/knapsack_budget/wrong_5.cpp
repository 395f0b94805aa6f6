// wrong: order dependence: projects are handled by falling cost, which settles ties between equally good choices another way
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n, budget;
    std::cin >> n >> budget;
    std::vector<std::string> name(n);
    std::vector<int> cost(n);
    std::vector<long long> benefit(n);
    for (int i = 0; i < n; i++) std::cin >> name[i] >> cost[i] >> benefit[i];

    std::vector<int32_t> row(budget + 1, 0);  // one row, updated from the top down
    const size_t words = (size_t)budget / 64 + 1;
    std::vector<uint64_t> took(words * n, 0);  // one bit per decision for the walk back
    std::vector<int> order(n);  // dear projects touch few cells
    for (int i = 0; i < n; i++) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return cost[a] > cost[b]; });
    for (int k = 0; k < n; k++) {
        const int i = order[k];
        uint64_t* bits = &took[words * i];
        for (int b = budget; b >= cost[i]; b--) {
            int32_t with = (int32_t)(row[b - cost[i]] + benefit[i]);
            if (with > row[b]) {
                row[b] = with;
                bits[b / 64] |= 1ull << (b % 64);
            }
        }
    }
    std::vector<int> chosen;
    int rem = budget;
    for (int k = n - 1; k >= 0; k--) {
        const int i = order[k];
        if (took[words * i + rem / 64] >> (rem % 64) & 1) {
            chosen.push_back(i);
            rem -= cost[i];
        }
    }
    std::sort(chosen.begin(), chosen.end());
    long long total = 0, gain = 0;
    for (int i : chosen) total += cost[i], gain += benefit[i];
    std::cout << "benefit " << gain << " cost " << total << "\n";
    for (int i : chosen) std::cout << name[i] << " " << cost[i] << " " << benefit[i] << "\n";
    return 0;
}
