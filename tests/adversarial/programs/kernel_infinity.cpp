// attack: writes infinity, for a tolerance relative to the candidate's own numbers
// task: smooth
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written|inf

void smooth(int n, const double *, double *y) {
    for (int i = 0; i < n; ++i) y[i] = __builtin_inf();
}
