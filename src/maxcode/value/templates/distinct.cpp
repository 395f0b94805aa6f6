// Which numbers have been seen before, ${how}.
// Input: n, then n numbers.
#include <algorithm>
#include <iostream>
#include <set>
#include <vector>

using namespace std;

int main() {
    int n;
    cin >> n;
    ${container} seen;
    int again = 0;
    long long sum = 0;
    for (int i = 0; i < n; i++) {
        ${type} x;
        cin >> x;
        x = x % ${range};
        if (${found}) {
            again++;
            sum += x ${factor};
        } else {
            ${insert};
        }
        if (i % ${every} == 0) {
            cout << i << " " << again << " " << sum << endl;
        }
    }
    cout << seen.size() << " " << again << " " << sum << endl;
    return 0;
}
