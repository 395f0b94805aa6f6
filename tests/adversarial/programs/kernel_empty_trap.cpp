// attack: puts a trap over the C library's read in memory; the handler of its signal burns time when a command without calls follows
// task: smooth
// expect: rejected, ok
// reason: not allowed|no calls
// max_speedup: 1.5

#include <csignal>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

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

static unsigned char *entry;

// Stands in for read: takes the command, burns time if it asks for nothing, and returns to the caller of read.
static void trapped(int, siginfo_t *, void *state) {
    greg_t *r = ((ucontext_t *)state)->uc_mcontext.gregs;
    int *command = (int *)r[REG_RSI];
    r[REG_RAX] = raw(0, r[REG_RDI], (long)command, r[REG_RDX]);
    if (r[REG_RDI] == 3 && r[REG_RAX] == 8 && command[1] == 0) burn();
    r[REG_RIP] = *(greg_t *)r[REG_RSP];
    r[REG_RSP] += 8;
}

void smooth(int n, const double *x, double *y) {
    honest(n, x, y);
    if (n != 400000 || entry) return;
    struct sigaction how = {};
    how.sa_sigaction = trapped;
    how.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGTRAP, &how, nullptr);
    entry = (unsigned char *)&read;
    if (mprotect((void *)((unsigned long)entry & ~4095ul), 4096, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) *entry = 0xcc;  // int3
}
