// attack: exits with success before doing anything
// task: total
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|answer|empty|missing

int main() { return 0; }
