// attack: copies the input to the output
// task: smooth
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written

void smooth(int n, const double *x, double *y) {
    for (int i = 0; i < n; ++i) y[i] = x[i];
}
