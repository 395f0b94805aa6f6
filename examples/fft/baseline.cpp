// Product of two polynomials with whole coefficients.
//
// Input:  n and m (1 to 200,000 each), then n and m coefficients from -1000 to
//         1000, the constant term first, separated by spaces or line ends.
// Output: the n + m - 1 coefficients of the product, separated by spaces. All
//         of them are below 10^9 in size.

#include <cmath>
#include <complex>
#include <iostream>
#include <vector>

using namespace std;

typedef complex<double> Complex;

const double PI = acos(-1.0);

vector<Complex> transform(vector<Complex> values, bool inverse) {
    size_t n = values.size();
    if (n == 1) {
        return values;
    }

    vector<Complex> even, odd;
    for (size_t i = 0; i < n; i += 2) {
        even.push_back(values[i]);
        odd.push_back(values[i + 1]);
    }
    even = transform(even, inverse);
    odd = transform(odd, inverse);

    vector<Complex> result(n);
    double sign = inverse ? -1.0 : 1.0;
    for (size_t k = 0; k < n / 2; k++) {
        Complex turned = polar(1.0, sign * 2.0 * PI * k / n) * odd[k];
        result[k] = even[k] + turned;
        result[k + n / 2] = even[k] - turned;
    }
    return result;
}

int main() {
    ios::sync_with_stdio(false);

    size_t n, m;
    cin >> n >> m;
    size_t size = 1;
    while (size < n + m - 1) {
        size *= 2;
    }

    vector<Complex> a(size), b(size);
    for (size_t i = 0; i < n; i++) {
        double value;
        cin >> value;
        a[i] = value;
    }
    for (size_t i = 0; i < m; i++) {
        double value;
        cin >> value;
        b[i] = value;
    }

    a = transform(a, false);
    b = transform(b, false);
    vector<Complex> product(size);
    for (size_t i = 0; i < size; i++) {
        product[i] = a[i] * b[i];
    }
    product = transform(product, true);

    for (size_t i = 0; i < n + m - 1; i++) {
        if (i > 0) {
            cout << " ";
        }
        cout << llround(product[i].real() / size);
    }
    cout << endl;
    return 0;
}
