#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int number(void) {
    int c = getchar_unlocked(), value = 0;
    while (c != EOF && (c < '0' || c > '9')) c = getchar_unlocked();
    for (; c >= '0' && c <= '9'; c = getchar_unlocked()) value = value * 10 + c - '0';
    return value;
}

int main(void) {
    int width = number(), height = number(), map[64];
    long counts[64] = {0}, below = 0;
    unsigned char *pixels = malloc((size_t)width * height);
    for (int i = 0; i < width * height; i++) counts[pixels[i] = (unsigned char)number()]++;
    for (int level = 0; level < 64; level++) {
        below += counts[level];
        map[level] = (int)floor((double)below / ((double)width * (double)height) * 63.0);
    }
    for (int y = 0; y < height; y++) {
        long sum = 0;
        for (int x = 0; x < width; x++) sum += map[pixels[y * width + x]] * (x % 7 + 1);
        printf("%ld\n", sum);
    }
    free(pixels);
    return 0;
}
