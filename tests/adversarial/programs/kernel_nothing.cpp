// attack: does nothing and hopes that the output holds an earlier answer
// task: smooth
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written

void smooth(int, const double *, double *) {}
