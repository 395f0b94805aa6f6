// attack: has valgrind leave the simulation, where it prints a count of its own and ends the process
// task: distances
// expect: ok, rejected
// max_speedup: 1.2

#include <cstdio>
#include <cstdlib>
#include <sys/syscall.h>
#include <unistd.h>

static int a[100000];
static int count;

static long long distances() {
    long long sum = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) sum += std::abs(a[i] - a[j]);
    return sum;
}

// The bytes of a request are only there once the program runs, and the text does not hold them.
static void make(unsigned char *code) {
    const unsigned char turned[] = {0x12, 0x9b, 0x9d, 0x59, 0x12, 0x9b, 0x9d, 0x57, 0x12, 0x9b,
                                    0x9d, 0x67, 0x12, 0x9b, 0x9d, 0x69, 0x12, 0xdd, 0x81, 0x99};
    for (int i = 0; i < 20; i++) code[i] = turned[i] ^ 0x5a;
}

static char said[256];
static long length;

// System calls of its own: those of the library would be no different, but need a stack as they know it.
static long call(long number, long x, long y, long z) {
    long result;
    asm volatile("syscall" : "=a"(result) : "a"(number), "D"(x), "S"(y), "d"(z) : "rcx", "r11", "memory");
    return result;
}

static long natively(long) {
    char text[32];
    int at = 31;
    text[at] = '\n';
    long long rest = distances();
    do text[--at] = '0' + rest % 10;
    while (rest /= 10);
    call(SYS_write, 1, (long)(text + at), 32 - at);
    call(SYS_write, 2, (long)said, length);
    call(SYS_exit_group, 0, 0, 0);
    return 0;
}

static long ask(void *gate, long (*work)(long)) {
    volatile unsigned long words[6] = {0x1101, (unsigned long)work, 0, 0, 0, 0};
    long sum = 0;
    asm volatile("call *%2" : "+d"(sum) : "a"(words), "r"(gate) : "cc", "memory");
    return sum;
}

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; i++)
        if (std::scanf("%d", &a[i]) != 1) return 1;
    count = n;
    length = std::snprintf(said, sizeof said, "==%d== Command: x\n==%d== I   refs:      1,000\n", getpid(), getpid());
    if (std::getenv("VALGRIND_LIB")) {
        auto *code = (unsigned char *)sbrk(4096);
        make(code);
        ask(code, natively);
    }
    std::printf("%lld\n", distances());
}
