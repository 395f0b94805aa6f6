// attack: defines write under another name and burns time before the reply to a command without calls
// task: smooth
// expect: ok, rejected
// reason: .*
// max_speedup: 1.5

static long raw(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
    return result;
}

static void honest(int n, const double *x, double *y) {
    static const double weight[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = -4; k <= 4; ++k) {
            int j = i + k;
            if (j < 0) j = 0;
            if (j > n - 1) j = n - 1;
            sum += weight[k + 4] * x[j];
        }
        y[i] = sum / 25;
    }
}

static void burn() {  // about a tenth of a second
    for (volatile long i = 0; i < 150000000; i = i + 1) {}
}

static int calls = 0;

extern "C" long put(int, const void *, unsigned long) __asm__("write");
extern "C" long put(int fd, const void *data, unsigned long size) {
    static int replies = 0;
    if (calls && fd == 4 && ++replies > 1 && calls == 1) burn();
    return raw(1, fd, (long)data, size);
}

void smooth(int n, const double *x, double *y) {
    if (n == 400000) ++calls;
    honest(n, x, y);
}
