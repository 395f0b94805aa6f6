// attack: the assembler copies a test file into the program
// task: total
// expect: rejected
// reason: incbin|asm

#include <cstdio>

__asm__(".data\nanswer: .incbin \"tests/hidden/output.0.txt\"\n.byte 0\n.text");
extern const char answer[] __asm__("answer");

int main() { std::puts(answer); }
