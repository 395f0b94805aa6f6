// attack: defines clock_gettime under another name, tells the time as it is, and burns time where no call lies between two readings
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

static bool called = true;

extern "C" int tell(int, void *) __asm__("clock_gettime");
extern "C" int tell(int which, void *time) {
    static int readings = 0;
    if (++readings % 2 == 0 && !called) burn();
    called = false;
    return (int)raw(228, which, (long)time);
}

void smooth(int n, const double *x, double *y) {
    called = true;
    honest(n, x, y);
}
