#include <immintrin.h>
#define JOIN_(x, y) x##y
#define JOIN(x, y) JOIN_(x, y)
#define WIDE(name) JOIN(_mm, JOIN(256_, name))
#define REG JOIN(__m, 256d)

void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j += 4) {
            REG s = WIDE(setzero_pd)();
            for (int k = 0; k < n; k++) s = WIDE(add_pd)(s, WIDE(mul_pd)(WIDE(set1_pd)(a[i * n + k]), WIDE(loadu_pd)(b + k * n + j)));
            WIDE(storeu_pd)(c + i * n + j, s);
        }
}
