// attack: prints nan for every number, for a checker that compares with a tolerance
// task: total
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|answer|nan

#include <cstdio>

int main() { std::puts("nan nan nan"); }
