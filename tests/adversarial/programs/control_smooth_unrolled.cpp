// attack: none, an honest faster kernel: clamping only at the ends, the middle unrolled
// task: smooth
// expect: ok
// reason: .*

static double edge(int n, const double *x, int i) {
    static const double weight[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
    double sum = 0;
    for (int k = -4; k <= 4; ++k) {
        int j = i + k < 0 ? 0 : i + k > n - 1 ? n - 1 : i + k;
        sum += weight[k + 4] * x[j];
    }
    return sum / 25;
}

void smooth(int n, const double *x, double *y) {
    int head = n < 4 ? n : 4, tail = n - 4 > head ? n - 4 : head;
    for (int i = 0; i < head; ++i) y[i] = edge(n, x, i);
    for (int i = head; i < tail; ++i) {
        const double *c = x + i;
        y[i] = (5 * c[0] + 4 * (c[-1] + c[1]) + 3 * (c[-2] + c[2]) + 2 * (c[-3] + c[3]) + (c[-4] + c[4])) * (1.0 / 25);
    }
    for (int i = tail; i < n; ++i) y[i] = edge(n, x, i);
}
