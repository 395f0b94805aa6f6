// attack: crashes, and a handler for the signal exits with success
// task: total
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|answer|empty|missing

#include <csignal>
#include <unistd.h>

int main() {
    std::signal(SIGSEGV, [](int) { _exit(0); });
    int *volatile nowhere = nullptr;
    *nowhere = 1;
}
