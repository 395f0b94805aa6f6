/* Greatest common divisors over all pairs of a few numbers, ${how}.
 * Input: n, then n numbers. */
#include <stdio.h>

static ${type} numbers[2000];

static ${type} gcd(${type} a, ${type} b) {
    ${gcd}
}

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) {
        return 1;
    }
    for (int i = 0; i < n && i < 2000; i++) {
        int x;
        if (scanf("%d", &x) != 1) {
            return 1;
        }
        numbers[i] = x % ${largest} + 1;
    }
    long long total = 0;
    int coprime = 0;
    for (int i = 0; i < n && i < 2000; i++) {
        for (int j = ${start}; j < n && j < 2000; j++) {
            ${type} found = gcd(numbers[i], numbers[j]);
            total += found;
            if (found == 1) {
                coprime++;
            }
        }
        printf("%lld\n", total);
    }
    printf("%lld %d\n", total, coprime);
    return 0;
}
