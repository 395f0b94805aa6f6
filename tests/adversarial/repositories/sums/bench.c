#include <stdio.h>
#include <stdlib.h>
#include "lib.h"

static long v[24000];

int main(int count, char **words) {
    unsigned long x = count > 1 && atol(words[1]) ? (unsigned long)atol(words[1]) : 7;
    for (int i = 0; i < 24000; i++) v[i] = (long)((x = x * 6364136223846793005UL + 1442695040888963407UL) >> 40);
    printf("total %ld\n", total(v, 24000));
}
