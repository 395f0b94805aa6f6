// Product of two n x n matrices made from a seed; prints some entries and the sum of all.
// Input: n (1 to 300) and a seed.
#include <iostream>
#include <vector>

using namespace std;

int main() {
    int n;
    unsigned seed;
    cin >> n >> seed;
    vector<vector<${type}>> a(n, vector<${type}>(n)), b(n, vector<${type}>(n)), c(n, vector<${type}>(n, 0));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            seed = seed * 1103515245u + 12345u;
            a[i][j] = (seed >> 16) % 100;
            b[i][j] = (seed >> 8) % ${modulus};
        }
    }
    for (int ${first} = 0; ${first} < n; ${first}++) {
        for (int ${second} = 0; ${second} < n; ${second}++) {
            for (int ${third} = 0; ${third} < n; ${third}++) {
                c[i][j] = c[i][j] + a[i][k] * b[k][j];
            }
        }
    }
    ${type} sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            sum = sum + c[i][j];
        }
        cout << c[i][(i * 7) % n] << endl;
    }
    cout << sum << endl;
    return 0;
}
