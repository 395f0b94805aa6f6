// attack: the same from a table of bytes that lies in its constants and is run there
// task: distances
// expect: rejected
// reason: requests to valgrind

#include <cstdio>
#include <cstdlib>

static int a[100000];
static int count;

static long long distances() {
    long long sum = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) sum += std::abs(a[i] - a[j]);
    return sum;
}

// Preamble, xchg rbx, rbx, ret; the compiler puts it among the instructions.
__attribute__((naked)) static void gate() {
    asm(".byte 0x48,0xc1,0xc7,0x03,0x48,0xc1,0xc7,0x0d,0x48,0xc1,0xc7,0x3d,0x48,0xc1,0xc7,0x33,0x48,0x87,0xdb,0xc3");
}

static long natively(long) { return distances(); }

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; i++)
        if (std::scanf("%d", &a[i]) != 1) return 1;
    count = n;
    volatile unsigned long words[6] = {0x1101, (unsigned long)natively, 0, 0, 0, 0};
    long sum = 0;
    asm volatile("call *%2" : "+d"(sum) : "a"(words), "r"(gate) : "cc", "memory");
    std::printf("%lld\n", sum ? sum : distances());
}
