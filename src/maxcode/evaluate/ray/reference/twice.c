/* The same twice: a ratio that a few pairs settle. */
#include <stdint.h>
#include <stdio.h>

static uint32_t table[1 << 16];

int main(void) {
    long steps = 0;
    if (scanf("%ld", &steps) != 1) return 1;
    uint64_t state = 88172645463325252u, sum = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) table[i] = (uint32_t)(i * 2654435761u);
    for (long i = 0; i < 2 * steps; i++) {
        if (i == steps) state = 88172645463325252u, sum = 0;
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        sum += table[(state + sum) & 0xffff];
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
