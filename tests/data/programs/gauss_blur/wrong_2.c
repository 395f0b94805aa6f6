// wrong: rounding: the division by 256 rounds to the nearest value instead of down
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    size_t cap = 1 << 22, len = 0;
    char *buf = malloc(cap + 1);
    for (;;) {
        ssize_t r = read(0, buf + len, cap - len);
        if (r <= 0)
            break;
        len += r;
        if (len == cap)
            buf = realloc(buf, (cap *= 2) + 1);
    }
    buf[len] = 0;
    const char *p = buf;
#define NUM(v)                                              \
    do {                                                    \
        while (*p && *p <= ' ')                             \
            p++;                                            \
        v = 0;                                              \
        while ((unsigned)(*p - '0') < 10)                   \
            v = v * 10 + (*p++ - '0');                      \
    } while (0)
    int w, h, passes;
    NUM(w);
    NUM(h);
    NUM(passes);
    size_t n = (size_t)w * h;
    uint8_t *a = malloc(n + 64), *b = malloc(n + 64);
    for (size_t i = 0; i < n; i++) {
        int v;
        NUM(v);
        a[i] = (uint8_t)v;
    }
    uint16_t *col = calloc(w + 64, sizeof(uint16_t));
    for (int k = 0; k < passes; k++) {
        for (int y = 0; y < h; y++) {
#define ROW(d) (a + (size_t)(y + (d) < 0 ? 0 : y + (d) >= h ? h - 1 : y + (d)) * w)
            const uint8_t *r0 = ROW(-2), *r1 = ROW(-1), *r2 = ROW(0), *r3 = ROW(1), *r4 = ROW(2);
            uint16_t *restrict c = col + 2; /* vertical sums, at most 255 * 16 */
            for (int x = 0; x < w; x++)
                c[x] = (uint16_t)(r0[x] + r4[x] + 4 * (r1[x] + r3[x]) + 6 * r2[x]);
            c[-1] = c[-2] = c[0];
            c[w] = c[w + 1] = c[w - 1];
            uint8_t *restrict d = b + (size_t)y * w;
            for (int x = 0; x < w; x++) {
                uint16_t s = (uint16_t)(c[x - 2] + c[x + 2] + 4 * (c[x - 1] + c[x + 1]) + 6 * c[x]);
                d[x] = (uint8_t)((s + 128) >> 8);
            }
        }
        uint8_t *t = a;
        a = b;
        b = t;
    }
    long hist[4][256];
    memset(hist, 0, sizeof hist);
    char *out = malloc((size_t)h * 40 + 1024), *o = out;
    for (int y = 0; y < h; y++) {
        const uint8_t *r = a + (size_t)y * w;
        long row = 0;
        for (int x = 0; x < w; x++)
            row += r[x];
        int x = 0;
        for (; x + 4 <= w; x += 4) {
            hist[0][r[x]]++;
            hist[1][r[x + 1]]++;
            hist[2][r[x + 2]]++;
            hist[3][r[x + 3]]++;
        }
        for (; x < w; x++)
            hist[0][r[x]]++;
        o += sprintf(o, "row %d: %ld\n", y, row);
    }
    for (int i = 0; i < 16; i++) {
        long s = 0;
        for (int v = i * 16; v < i * 16 + 16; v++)
            s += hist[0][v] + hist[1][v] + hist[2][v] + hist[3][v];
        o += sprintf(o, "%3d-%3d %ld\n", i * 16, i * 16 + 15, s);
    }
    fwrite(out, 1, o - out, stdout);
    return 0;
}
