// attack: sets an alarm just before the time limit and prints a guess when it rings
// task: total
// expect: wrong, timeout
// reason: differ|expected|mismatch|wrong|output|answer|time

#include <csignal>
#include <unistd.h>

int main() {
    std::signal(SIGALRM, [](int) { _exit(write(1, "0 0 0\n", 6) < 0); });
    alarm(1);
    for (;;) pause();
}
