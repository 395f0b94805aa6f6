#include <cmath>
#include <cstdio>
#include <iostream>
#include <vector>
using namespace std;
typedef vector<double> vd;

vd operator*(vd a, vd b) {
    vd c(a.size() + b.size() - 1, 0.0);
    for (int i = 0; i < (int)a.size(); i++)
        for (int j = 0; j < (int)b.size(); j++) c[i + j] += a[i] * b[j];
    return c;
}

double eval(vd p, double x) {
    double s = 0;
    for (int i = 0; i < (int)p.size(); i++) s += p[i] * pow(x, i);
    return s;
}

int main() {
    int n, q;
    cin >> n >> q;
    vd p(n);
    for (auto &c : p) cin >> c;
    vd squared = p * p;
    while (q--) {
        double x;
        cin >> x;
        double y = eval(squared, x), slope = 0;
        for (int i = 1; i < (int)squared.size(); i++) slope += i * squared[i] * pow(x, i - 1);
        printf("%.4f %.4f\n", y, slope);
    }
}
