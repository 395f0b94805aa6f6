// attack: defines read and write with hidden visibility
// task: smooth
// expect: rejected
// reason: defines read, write

#include <unistd.h>
#include <sys/types.h>
static long raw(long n, long a, long b, long c){ long r; asm volatile("syscall":"=a"(r):"a"(n),"D"(a),"S"(b),"d"(c):"rcx","r11","memory"); return r; }
extern "C" __attribute__((visibility("hidden"))) ssize_t write(int f, const void *p, size_t n) { return raw(1,f,(long)p,n); }
extern "C" __attribute__((visibility("hidden"))) ssize_t read(int f, void *p, size_t n) { return raw(0,f,(long)p,n); }
void smooth(int n, const double *x, double *y) {
    static const double weight[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = -4; k <= 4; ++k) { int j = i + k; if (j < 0) j = 0; if (j > n - 1) j = n - 1; sum += weight[k + 4] * x[j]; }
        y[i] = sum / 25;
    }
}
