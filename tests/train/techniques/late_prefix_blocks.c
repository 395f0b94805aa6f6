#include <omp.h>
void scan(int n, const double *x, double *y) {
    static double part[257];
#pragma omp parallel
    {
        int t = omp_get_thread_num(), count = omp_get_num_threads();
        int from = (int)((long)n * t / count), to = (int)((long)n * (t + 1) / count);
        double s = 0;
        for (int i = from; i < to; i++) y[i] = s += x[i];
        part[t + 1] = s;
#pragma omp barrier
        double before = 0;
        for (int i = 1; i <= t; i++) before += part[i];
        for (int i = from; i < to; i++) y[i] += before;
    }
}
