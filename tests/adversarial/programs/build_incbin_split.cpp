// attack: the assembler copies a file of the machine into the program, its directive in two literals
// task: total
// expect: rejected, build_error
// reason: incbin|asm|passwd|no such file|not found

#include <cstdio>

#define DIRECTIVE ".inc" "bin"
__asm__(".data\nanswer: " DIRECTIVE " \"/etc/passwd\"\n.byte 0\n.text");
extern const char answer[] __asm__("answer");

int main() { std::puts(answer); }
