// Weighted edit distance of two strings.
//
// Input:  a line with the costs of inserting, deleting and substituting one
//         character (0 to 1,000,000 each), then the two strings, a line each:
//         up to 6000 printable characters, possibly none.
// Output: the smallest total cost of turning the first into the second, and the
//         length of their longest common subsequence.

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
    size_t n = a.size();
    size_t m = b.size();

    vector<vector<long long>> cost(n + 1, vector<long long>(m + 1, 0));
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            if (i == 0) {
                cost[i][j] = j * insert_cost;
            } else if (j == 0) {
                cost[i][j] = i * delete_cost;
            } else {
                long long change = cost[i - 1][j - 1];
                if (a[i - 1] != b[j - 1]) {
                    change += substitute_cost;
                }
                cost[i][j] = min(change, min(cost[i - 1][j] + delete_cost,
                                             cost[i][j - 1] + insert_cost));
            }
        }
    }

    vector<vector<long long>> common(n + 1, vector<long long>(m + 1, 0));
    for (size_t i = 1; i <= n; i++) {
        for (size_t j = 1; j <= m; j++) {
            if (a[i - 1] == b[j - 1]) {
                common[i][j] = common[i - 1][j - 1] + 1;
            } else {
                common[i][j] = max(common[i - 1][j], common[i][j - 1]);
            }
        }
    }

    cout << cost[n][m] << " " << common[n][m] << "\n";
    return 0;
}
