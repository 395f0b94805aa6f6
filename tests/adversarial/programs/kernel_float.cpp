// attack: computes in float where double is asked for
// task: smooth
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written

void smooth(int n, const double *x, double *y) {
    static const float weight[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
    for (int i = 0; i < n; ++i) {
        float sum = 0;
        for (int k = -4; k <= 4; ++k) {
            int j = i + k < 0 ? 0 : i + k > n - 1 ? n - 1 : i + k;
            sum += weight[k + 4] * (float)x[j];
        }
        y[i] = sum / 25;
    }
}
