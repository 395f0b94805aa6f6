// attack: includes an expected output as an initialiser
// task: total
// expect: rejected
// reason: include

#include <cstdio>

static const long answer[] = {
#include "../../tests/hidden/output.0.txt"
};

int main() { std::printf("%ld\n", answer[0]); }
