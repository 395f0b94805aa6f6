// Counts people out of a circle, every ${step}th, and sums up the order in which they go.
// Input: n, then n numbers, one per person.
#include <iostream>
#include <${header}>
#include <vector>

using namespace std;

int main() {
    int n;
    cin >> n;
    ${container}<${type}> circle;
    for (int i = 0; i < n; i++) {
        ${type} x;
        cin >> x;
        circle.push_back(x);
    }
    long long checksum = 0;
    int gone = 0;
    while (!circle.empty()) {
        for (int k = 0; k < ${step}; k++) {
            ${type} front = circle[0];
            circle.erase(circle.begin());
            circle.push_back(front);
        }
        gone++;
        checksum = (checksum * 31 + circle[0]) % ${modulus};
        circle.erase(circle.begin());
        if (gone % 50 == 0) {
            cout << gone << " " << checksum << endl;
        }
    }
    cout << checksum << endl;
    return 0;
}
