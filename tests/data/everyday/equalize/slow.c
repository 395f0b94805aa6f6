#include <stdio.h>
#include <stdlib.h>
#include <math.h>

int width, height;
int *pixels;

int get_pixel(int x, int y)
{
    if (x < 0 || y < 0 || x >= width || y >= height)
        return -1;
    return pixels[x * height + y];
}

double share_below(int level)
{
    int x, y;
    double n = 0.0;
    for (y = 0; y < height; y++)
        for (x = 0; x < width; x++)
            if (get_pixel(x, y) >= 0 && get_pixel(x, y) <= level)
                n += 1.0;
    return n / ((double)width * (double)height);
}

int main()
{
    int x, y, level;
    int map[64];
    if (scanf("%d %d", &width, &height) != 2)
        return 1;
    pixels = (int *)malloc(sizeof(int) * width * height);
    for (y = 0; y < height; y++)
        for (x = 0; x < width; x++)
            scanf("%d", &pixels[x * height + y]);
    for (level = 0; level < 64; level++)
        map[level] = (int)floor(share_below(level) * 63.0);
    for (y = 0; y < height; y++) {
        long sum = 0;
        for (x = 0; x < width; x++)
            sum += map[get_pixel(x, y)] * (x % 7 + 1);
        printf("%ld\n", sum);
    }
    free(pixels);
    return 0;
}
