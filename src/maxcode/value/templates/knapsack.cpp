// The most value of items within each of several weights.
// Input: n, then n numbers: item i weighs 1 + x mod ${heaviest} and is worth x mod 1000.
#include <algorithm>
#include <iostream>
#include <vector>

using namespace std;

int main() {
    int n;
    cin >> n;
    vector<int> weight(n), worth(n);
    for (int i = 0; i < n; i++) {
        int x;
        cin >> x;
        weight[i] = 1 + x % ${heaviest};
        worth[i] = x % 1000;
    }
    int most = ${most};
    vector<vector<${type}>> best(n + 1, vector<${type}>(most + 1, 0));
    for (int i = 1; i <= n; i++) {
        for (int w = 0; w <= most; w++) {
            best[i][w] = best[i - 1][w];
            if (w >= weight[i - 1]) {
                best[i][w] = max(best[i][w], best[${row}][w - weight[i - 1]] + worth[i - 1]);
            }
        }
    }
    for (int w = 0; w <= most; w += ${step}) {
        cout << w << " " << best[n][w] << endl;
    }
    return 0;
}
