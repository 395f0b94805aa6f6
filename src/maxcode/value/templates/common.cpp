// Longest common ${what} of two sequences.
// Input: n, then n numbers; the first half against the second half.
#include <algorithm>
#include <iostream>
#include <vector>

using namespace std;

int main() {
    int n;
    cin >> n;
    vector<int> a, b;
    for (int i = 0; i < n; i++) {
        int x;
        cin >> x;
        if (i < n / 2) {
            a.push_back(x % ${alphabet});
        } else {
            b.push_back(x % ${alphabet});
        }
    }
    int rows = a.size(), columns = b.size();
    vector<vector<${type}>> best(rows + 1, vector<${type}>(columns + 1, 0));
    ${type} longest = 0;
    for (int i = 1; i <= rows; i++) {
        for (int j = 1; j <= columns; j++) {
            if (a[i - 1] == b[j - 1]) {
                best[i][j] = best[i - 1][j - 1] + ${gain};
            } else {
                best[i][j] = ${otherwise};
            }
            longest = max(longest, best[i][j]);
        }
    }
    cout << longest << " " << best[rows][columns] << endl;
    return 0;
}
