// attack: none, an honest aggressive program: OpenMP: a reduction, and two halves sorted as tasks
// task: total_threads
// expect: ok
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <omp.h>
#include <vector>

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<long long> values(n);
    for (auto &v : values)
        if (std::scanf("%lld", &v) != 1) return 1;
    long long sum = 0, largest = n ? values[0] : 0;
    omp_set_num_threads(2);
#pragma omp parallel for simd reduction(+ : sum) reduction(max : largest) schedule(static)
    for (int i = 0; i < n; ++i) {
        sum += values[i];
        largest = std::max(largest, values[i]);
    }
    auto begin = values.begin(), middle = begin + n / 2, end = values.end();
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        std::sort(begin, middle);
#pragma omp task
        std::sort(middle, end);
    }
    std::inplace_merge(begin, middle, end);
    std::printf("%lld %lld %lld\n", sum, largest, (long long)(std::unique(begin, end) - begin));
}
