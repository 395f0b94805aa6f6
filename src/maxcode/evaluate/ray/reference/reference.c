/* Arithmetic that depends on itself, and loads from 256 KiB that no prefetcher foresees: clock and caches. */
#include <stdint.h>
#include <stdio.h>

static uint32_t table[1 << 16];

int main(void) {
    long steps = 0;
    if (scanf("%ld", &steps) != 1) return 1;
    uint64_t state = 88172645463325252u, sum = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) table[i] = (uint32_t)(i * 2654435761u);
    for (long i = 0; i < steps; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        sum += table[(state + sum) & 0xffff];
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
