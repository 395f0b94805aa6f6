// attack: the same with the macros of valgrind's own header
// task: distances
// expect: rejected, build_error
// reason: requests to valgrind|valgrind.h

#include <cstdio>
#include <cstdlib>
#include <valgrind/valgrind.h>

static int a[100000];
static int count;

static long long distances() {
    long long sum = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) sum += std::abs(a[i] - a[j]);
    return sum;
}

static long natively(long) { return distances(); }

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; i++)
        if (std::scanf("%d", &a[i]) != 1) return 1;
    count = n;
    long long sum = RUNNING_ON_VALGRIND ? (long)VALGRIND_NON_SIMD_CALL0(natively) : distances();
    std::printf("%lld\n", sum);
}
