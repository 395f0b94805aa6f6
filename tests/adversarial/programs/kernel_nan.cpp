// attack: writes NaN, for a comparison that asks whether the difference is too large
// task: smooth
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written

void smooth(int n, const double *, double *y) {
    for (int i = 0; i < n; ++i) y[i] = __builtin_nan("");
}
