// attack: endless loop
// task: total
// expect: timeout
// reason: time

int main() {
    for (volatile int spin = 0;; spin = spin + 1) {}
}
