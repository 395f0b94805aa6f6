// attack: never returns
// task: smooth
// expect: timeout
// reason: time

void smooth(int, const double *, double *) {
    for (volatile int spin = 0;; spin = spin + 1) {}
}
