// attack: none, an honest aggressive program: an array that grows by moving its pages instead of its bytes
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <sys/mman.h>

int main() {
    size_t room = 1 << 16;
    void *memory = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 1;
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    long long sum = 0;
    for (int i = 0; i < n; ++i) {
        if ((i + 1) * sizeof(long long) > room) {
            memory = mremap(memory, room, 2 * room, MREMAP_MAYMOVE);
            if (memory == MAP_FAILED) return 1;
            room *= 2;
        }
        long long v = 0;
        if (std::scanf("%lld", &v) != 1) return 1;
        sum += v;
        ((long long *)memory)[i] = v;
    }
    auto *values = (long long *)memory;
    std::sort(values, values + n);
    long long largest = n ? values[n - 1] : 0;
    std::printf("%lld %lld %lld\n", sum, largest, (long long)(std::unique(values, values + n) - values));
    munmap(memory, room);
}
