// attack: none, an honest aggressive kernel: fast-math and unrolling by pragmas, where the order of additions does not matter
// task: smooth
// expect: ok
// min_speedup: 1.3
// options: sanitize

#pragma GCC optimize("O3,fast-math,unroll-loops")

static double edge(int n, const double *x, int i) {
    double sum = 0;
    for (int k = -4; k <= 4; ++k) {
        int j = i + k < 0 ? 0 : i + k > n - 1 ? n - 1 : i + k;
        sum += (5 - (k < 0 ? -k : k)) * x[j];
    }
    return sum / 25;
}

void smooth(int n, const double *__restrict x, double *__restrict y) {
    int head = n < 4 ? n : 4, tail = n - 4 > head ? n - 4 : head;
    for (int i = 0; i < head; ++i) y[i] = edge(n, x, i);
#pragma GCC ivdep
    for (int i = head; i < tail; ++i) {
        double sum = 0;
#pragma GCC unroll 9
        for (int k = -4; k <= 4; ++k) sum += (5 - (k < 0 ? -k : k)) * x[i + k];
        y[i] = sum / 25;
    }
    for (int i = tail; i < n; ++i) y[i] = edge(n, x, i);
}
