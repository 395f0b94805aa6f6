// Facts about divisors of many numbers.
// Input: n, then n numbers; each is taken modulo ${largest}.
#include <cmath>
#include <iostream>

using namespace std;

bool is_prime(${type} x) {
    if (x < 2) {
        return false;
    }
    for (${type} d = 2; d < x; d++) {
        if (x % d == 0) {
            return false;
        }
    }
    return true;
}

${type} divisors(${type} x) {
    ${type} count = 0;
    for (${type} d = 1; d <= x; d++) {
        if (x % d == 0) {
            count += ${counted};
        }
    }
    return count;
}

int main() {
    int n;
    cin >> n;
    long long total = 0;
    for (int i = 0; i < n; i++) {
        ${type} x;
        cin >> x;
        x = x % ${largest} + 1;
        ${answer}
    }
    cout << total << endl;
    return 0;
}
