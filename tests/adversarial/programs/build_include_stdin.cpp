// attack: includes the compiler's own standard input, to wait for ever
// task: total
// expect: rejected, build_error, wrong
// reason: include|no such file|time|differ|expected|mismatch|wrong|output|answer

#define SOURCE </dev/stdin>
#include SOURCE

int main() {}
