// Repeated averaging over a grid with ${neighbours} neighbours; prints a checksum per sweep.
// Input: n (3 to 400) and a seed.
#include <iostream>
#include <vector>

using namespace std;

int main() {
    int n;
    unsigned seed;
    cin >> n >> seed;
    vector<vector<${type}>> grid(n, vector<${type}>(n)), next;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            seed = seed * 1103515245u + 12345u;
            grid[i][j] = (seed >> 16) % 1000;
        }
    }
    for (int sweep = 0; sweep < ${sweeps}; sweep++) {
        next = grid;
        for (int ${outer} = 1; ${outer} < n - 1; ${outer}++) {
            for (int ${inner} = 1; ${inner} < n - 1; ${inner}++) {
                next[i][j] = (${sum}) / ${divisor};
            }
        }
        grid = next;
        ${type} total = 0;
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                total += grid[i][j];
            }
        }
        cout << total << endl;
    }
    return 0;
}
