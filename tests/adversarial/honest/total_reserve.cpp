// attack: none, an honest aggressive program: as many addresses as it can have, up to 16 GB, of which only what is used becomes memory
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <sys/mman.h>

int main() {
    const int access = PROT_READ | PROT_WRITE, how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    size_t most = size_t(16) << 30;
    void *room = MAP_FAILED;
    for (; room == MAP_FAILED && most > 1 << 20; most /= 2) room = mmap(nullptr, most, access, how, -1, 0);
    auto *values = (long long *)room;
    int n = 0;
    if (room == MAP_FAILED || std::scanf("%d", &n) != 1 || n * sizeof *values > most) return 1;
    long long sum = 0;
    for (int i = 0; i < n; ++i) {
        if (std::scanf("%lld", &values[i]) != 1) return 1;
        sum += values[i];
    }
    std::sort(values, values + n);
    long long largest = n ? values[n - 1] : 0;
    std::printf("%lld %lld %lld\n", sum, largest, (long long)(std::unique(values, values + n) - values));
}
