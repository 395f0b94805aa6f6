// Weighted edit distance and longest common subsequence, keeping one row of each table.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

using namespace std;

int main() {
    long long insert_cost, delete_cost, substitute_cost;
    cin >> insert_cost >> delete_cost >> substitute_cost;
    string rest, a, b;
    getline(cin, rest);
    getline(cin, a);
    getline(cin, b);
    const size_t n = a.size(), m = b.size();

    vector<long long> cost(m + 1);
    vector<int> common(m + 1, 0);
    for (size_t j = 0; j <= m; j++) cost[j] = j * insert_cost;
    for (size_t i = 1; i <= n; i++) {
        long long diagonal_cost = cost[0];
        int diagonal_common = 0;
        cost[0] = i * delete_cost;
        for (size_t j = 1; j <= m; j++) {
            const bool same = a[i - 1] == b[j - 1];
            const long long above = cost[j];
            const int above_common = common[j];
            const long long change = diagonal_cost + (same ? 0 : substitute_cost);
            cost[j] = min(change, min(above + delete_cost, cost[j - 1] + insert_cost));
            common[j] = same ? diagonal_common + 1 : max(above_common, common[j - 1]);
            diagonal_cost = above;
            diagonal_common = above_common;
        }
    }
    cout << cost[m] << " " << common[m] << "\n";
    return 0;
}
