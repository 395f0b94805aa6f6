// attack: writes a jump over the C library's clock_gettime in memory, and burns time where no call lies between two readings
// task: smooth
// expect: rejected, ok
// reason: not allowed|no calls
// max_speedup: 1.5

#include <cstring>
#include <ctime>
#include <sys/mman.h>

static long raw(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
    return result;
}

static void honest(int n, const double *x, double *y) {
    static const double weight[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = -4; k <= 4; ++k) {
            int j = i + k;
            if (j < 0) j = 0;
            if (j > n - 1) j = n - 1;
            sum += weight[k + 4] * x[j];
        }
        y[i] = sum / 25;
    }
}

static void burn() {  // longer than all calls of a round
    for (volatile long i = 0; i < 600000000; i = i + 1) {}
}

static bool called = true;

static int tell(int which, void *time) {
    static int readings = 0;
    if (++readings % 2 == 1) {  // the first is the end of the warm-up: the second of two
        if (!called) burn();
        called = false;
    }
    return (int)raw(228, which, (long)time);
}

static void patch() {
    unsigned char *entry = (unsigned char *)&clock_gettime;
    unsigned char jump[12] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};  // mov rax, tell; jmp rax
    void *target = (void *)&tell;
    std::memcpy(jump + 2, &target, sizeof target);
    char *page = (char *)((unsigned long)entry & ~4095ul);
    if (mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) std::memcpy(entry, jump, sizeof jump);
}

void smooth(int n, const double *x, double *y) {
    static int calls = 0;
    called = true;
    if (n == 400000 && ++calls == 1) patch();
    honest(n, x, y);
}
