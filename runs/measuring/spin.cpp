// Compute-bound work of a stated size: WORK units of about 1% each when WORK is 100; a unit is UNIT steps.
#include <cstdint>
#include <cstdio>
#ifndef WORK
#define WORK 100
#endif
#ifndef UNIT
#define UNIT 150000
#endif
int main() {
    uint64_t x = 88172645463325252ull, sum = 0;
    for (int unit = 0; unit < WORK; unit++)
        for (int i = 0; i < UNIT; i++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            sum += x & 1;
        }
    std::printf("%d\n", sum > 0);
}
