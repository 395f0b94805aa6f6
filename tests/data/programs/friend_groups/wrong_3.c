// wrong: overflow: parents and sizes are kept in 16 bits
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int16_t *up; /* negative: root with -size members */

static inline int find(int x)
{
    while (up[x] >= 0 && up[x] != x) {
        int p = up[x];
        if (up[p] >= 0)
            up[x] = up[p];
        x = p;
    }
    return x;
}

int main(void)
{
    size_t cap = 1 << 20, len = 0;
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
#define SKIP() while (*p && *p <= ' ') p++
#define NUM(v)                                    \
    do {                                          \
        SKIP();                                   \
        v = 0;                                    \
        while ((unsigned)(*p - '0') < 10)         \
            v = v * 10 + (*p++ - '0');            \
    } while (0)
    int n, events;
    NUM(n);
    NUM(events);
    up = malloc(sizeof(int16_t) * (n + 1));
    for (int i = 0; i < n; i++)
        up[i] = -1;
    int groups = n;
    char *out = malloc((size_t)events * 12 + 64), *o = out;
    for (int e = 0; e < events; e++) {
        SKIP();
        if (!*p)
            break;
        const char *cmd = p;
        while (*p > ' ')
            p++;
        int a, b, value;
        if (cmd[0] == 'm') {
            NUM(a);
            NUM(b);
            a = find(a);
            b = find(b);
            if (a != b) {
                if (up[a] > up[b]) {
                    int t = a;
                    a = b;
                    b = t;
                }
                up[a] += up[b];
                up[b] = (int16_t)a;
                groups--;
            }
            continue;
        }
        if (cmd[0] == 'f') {
            NUM(a);
            NUM(b);
            if (find(a) == find(b)) {
                *o++ = 'y';
                *o++ = 'e';
                *o++ = 's';
            } else {
                *o++ = 'n';
                *o++ = 'o';
            }
            *o++ = '\n';
            continue;
        }
        if (cmd[0] == 's') {
            NUM(a);
            value = -up[find(a)];
        } else {
            value = groups;
        }
        char d[12];
        int k = 0;
        do {
            d[k++] = (char)('0' + value % 10);
            value /= 10;
        } while (value);
        while (k)
            *o++ = d[--k];
        *o++ = '\n';
    }
    o += sprintf(o, "final: %d groups\n", groups);
    fwrite(out, 1, o - out, stdout);
    return 0;
}
