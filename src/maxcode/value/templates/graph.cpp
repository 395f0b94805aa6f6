// Distances in a graph given as a ${representation}.
// Input: n, then n numbers; edge i joins (x mod v) and (x / 7 mod v), v = ${vertices}.
#include <algorithm>
#include <iostream>
#include <vector>

using namespace std;

int main() {
    int n;
    cin >> n;
    int v = ${vertices};
    vector<vector<${type}>> distance(v, vector<${type}>(v, 1000000));
    for (int i = 0; i < v; i++) {
        distance[i][i] = 0;
    }
    for (int i = 0; i < n; i++) {
        int x;
        cin >> x;
        int a = x % v, b = x / 7 % v;
        ${type} length = x % ${longest} + 1;
        distance[a][b] = min(distance[a][b], length);
        ${both}
    }
    for (int k = 0; k < v; k++) {
        for (int ${outer} = 0; ${outer} < v; ${outer}++) {
            for (int ${inner} = 0; ${inner} < v; ${inner}++) {
                ${relax}
            }
        }
    }
    long long sum = 0;
    for (int i = 0; i < v; i++) {
        for (int j = 0; j < v; j++) {
            if (distance[i][j] < 1000000) {
                sum += distance[i][j];
            }
        }
        cout << sum << endl;
    }
    return 0;
}
