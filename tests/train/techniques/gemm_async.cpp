#include <future>
using namespace std;
extern "C" void dgemm(int n, const double *a, const double *b, double *c) {
    auto part = [=](int from, int to) {
        for (int i = from; i < to; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
                c[i * n + j] = s;
            }
    };
    auto half = async(launch::async, part, 0, n / 2);
    part(n / 2, n);
    half.get();
}
