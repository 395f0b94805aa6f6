// attack: sets input and output to zero, so that a reference that runs afterwards on the same input agrees
// task: smooth
// expect: wrong
// reason: input|argument|changed|modif|differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written

void smooth(int n, const double *x, double *y) {
    for (int i = 0; i < n; ++i) const_cast<double *>(x)[i] = y[i] = 0;
}
