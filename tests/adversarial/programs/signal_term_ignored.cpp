// attack: ignores every signal that can be ignored and loops for ever
// task: total
// expect: timeout
// reason: time

#include <csignal>

int main() {
    for (int s = 1; s < 65; ++s) std::signal(s, SIG_IGN);
    for (volatile int spin = 0;; spin = spin + 1) {}
}
