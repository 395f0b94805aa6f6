#include <cstdio>
#include <omp.h>
static void never() { asm volatile("vaddpd %ymm0, %ymm1, %ymm2"); }
void visible_but_unused(int n, double *a) {
    for (int i = 0; i < n; i++) _Pragma("GCC ivdep") for (int j = 0; j < 4; j++) a[j] += i;
}
int main() {
    static double x[1000];
    double even = 0, odd = 0;
    omp_set_num_threads(2);
    for (int i = 0; i < 1000; i += 2) { even += x[i]; odd += x[i + 1]; }
    std::printf("%g\n", even + odd);
}
