// attack: none, an honest aggressive kernel: the compiler's vector types, and weights as template arguments
// task: smooth
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <cstring>
#include <utility>

typedef double Four __attribute__((vector_size(32)));

static double edge(int n, const double *x, int i) {
    double sum = 0;
    for (int k = -4; k <= 4; ++k) {
        int j = i + k < 0 ? 0 : i + k > n - 1 ? n - 1 : i + k;
        sum += (5 - (k < 0 ? -k : k)) * x[j];
    }
    return sum / 25;
}

static inline void add(Four &sum, const double *from, double weight) {
    Four part;
    std::memcpy(&part, from, sizeof part);
    sum += weight * part;
}

template <int... K> static inline void all(Four &sum, const double *c, std::integer_sequence<int, K...>) {
    (add(sum, c + K - 4, K < 5 ? K + 1 : 9 - K), ...);
}

void smooth(int n, const double *x, double *y) {
    int head = n < 4 ? n : 4, tail = n - 4 > head ? n - 4 : head, at = head;
    for (int i = 0; i < head; ++i) y[i] = edge(n, x, i);
    for (; at + 4 <= tail; at += 4) {
        Four sum = {0, 0, 0, 0};
        all(sum, x + at, std::make_integer_sequence<int, 9>());
        sum /= 25;
        std::memcpy(y + at, &sum, sizeof sum);
    }
    for (; at < n; ++at) y[at] = edge(n, x, at);
}
