// attack: leaves its process group, so that a kill of the group misses it, and loops for ever
// task: total
// expect: timeout
// reason: time

#include <unistd.h>

int main() {
    setsid();
    setpgid(0, 0);
    for (volatile int spin = 0;; spin = spin + 1) {}
}
