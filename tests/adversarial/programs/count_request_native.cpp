// attack: asks valgrind, by its magic instructions, to run the work outside of the simulation
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

static long natively(long) { return distances(); }

static long ask(volatile unsigned long *words) {
    unsigned long result = 0;
    asm volatile(
        "rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
        : "=d"(result)
        : "a"(words), "0"(result)
        : "cc", "memory");
    return result;
}

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; i++)
        if (std::scanf("%d", &a[i]) != 1) return 1;
    count = n;
    volatile unsigned long words[6] = {0x1101, (unsigned long)natively, 0, 0, 0, 0};
    long long sum = ask(words);
    if (sum == 0) sum = distances();
    std::printf("%lld\n", sum);
}
