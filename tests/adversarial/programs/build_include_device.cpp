// attack: includes an endless device
// task: total
// expect: rejected
// reason: include

#include "/dev/urandom"

int main() {}
