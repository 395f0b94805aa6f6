// attack: sleeps for ever without using processor time
// task: total
// expect: timeout
// reason: time

#include <unistd.h>

int main() {
    for (;;) sleep(1000);
}
