// attack: the directive's name is put together by an assembler macro
// task: total
// expect: build_error, rejected
// reason: incbin|asm|passwd|no such file|not found|open

#include <cstdio>

__asm__(".macro copy a b\n.\\a\\b \"/etc/passwd\"\n.endm\n.data\nanswer: copy inc bin\n.byte 0\n.text");
extern const char answer[] __asm__("answer");

int main() { std::puts(answer); }
