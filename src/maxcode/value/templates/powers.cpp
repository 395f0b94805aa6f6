// Polynomials and powers at many places, ${how}.
// Input: n, then n numbers.
#include <cmath>
#include <iostream>
#include <vector>

using namespace std;

long long power(long long base, long long exponent, long long modulus) {
    long long result = 1;
    for (long long i = 0; i < exponent; i++) {
        result = result * base % modulus;
    }
    return result;
}

double polynomial(vector<double> coefficients, double x) {
    double sum = 0;
    for (size_t i = 0; i < coefficients.size(); i++) {
        sum = sum + coefficients[i] * pow(x, ${exponent});
    }
    return sum;
}

int main() {
    int n;
    cin >> n;
    vector<double> coefficients;
    for (int i = 0; i < ${degree}; i++) {
        coefficients.push_back(i % 5 + 1);
    }
    long long total = 0;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        long long x;
        cin >> x;
        total = total + power(x % 1000 + 2, x % ${largest}, ${modulus});
        sum = sum + polynomial(coefficients, (x % 100) / 100.0);
    }
    cout << total << " " << (long long)(sum * 1000) << endl;
    return 0;
}
