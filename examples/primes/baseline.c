/* Factorises numbers.
 *
 * Input:  q (0 to 100,000), then q whole numbers from 1 to 10^12.
 * Output: for each number a line with its prime factors in rising order, each
 *         as often as it divides the number; 1 for the number 1.
 */

#include <stdio.h>

static void factorise(long long number) {
    if (number == 1) {
        printf("1\n");
        return;
    }
    int first = 1;
    for (long long divisor = 2; divisor * divisor <= number; divisor++) {
        while (number % divisor == 0) {
            if (!first) {
                printf(" ");
            }
            printf("%lld", divisor);
            first = 0;
            number /= divisor;
        }
    }
    if (number > 1) {
        if (!first) {
            printf(" ");
        }
        printf("%lld", number);
    }
    printf("\n");
}

int main(void) {
    int queries;
    if (scanf("%d", &queries) != 1) {
        return 1;
    }
    for (int i = 0; i < queries; i++) {
        long long number;
        if (scanf("%lld", &number) != 1) {
            return 1;
        }
        factorise(number);
    }
    return 0;
}
