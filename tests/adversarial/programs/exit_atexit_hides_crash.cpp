// attack: throws in the middle of the work and hides it behind a terminate handler that exits with success
// task: total
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|answer|empty|missing

#include <exception>
#include <unistd.h>

int main() {
    std::set_terminate([] { _exit(0); });
    throw 1;
}
