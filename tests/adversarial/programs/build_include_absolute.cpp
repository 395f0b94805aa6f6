// attack: includes a file of the machine
// task: total
// expect: rejected
// reason: include

#include "/etc/passwd"

int main() {}
