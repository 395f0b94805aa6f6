// attack: prints a hard-coded answer before main is reached, then leaves
// task: total
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|answer

#include <unistd.h>

__attribute__((constructor)) static void before() {
    static const char answer[] = "39 9 7\n";
    _exit(write(1, answer, sizeof answer - 1) < 0);
}

int main() {}
