// attack: none, an honest aggressive program: malloc, free and their relatives replaced by an arena in static memory
// task: total
// expect: ok
// options: sanitize

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <unordered_set>

alignas(4096) static char arena[96 << 20];
static size_t used;

#define UNCHECKED __attribute__((no_sanitize("address", "undefined")))  // called before the sanitizers are ready

extern "C" {
UNCHECKED void *memalign(size_t alignment, size_t size) {
    size_t start = (used + 16 + alignment - 1) / alignment * alignment;
    if (size > sizeof arena || start > sizeof arena - size) return errno = ENOMEM, nullptr;
    used = (start + size + 15) & ~size_t(15);
    std::memcpy(arena + start - 8, &size, 8);
    return arena + start;
}
UNCHECKED void *malloc(size_t size) { return memalign(16, size); }
UNCHECKED void *aligned_alloc(size_t alignment, size_t size) { return memalign(std::max<size_t>(alignment, 16), size); }
UNCHECKED void *calloc(size_t count, size_t size) {
    size_t total;
    return __builtin_mul_overflow(count, size, &total) ? nullptr : memalign(16, total);  // static memory is zero
}
UNCHECKED void *realloc(void *old, size_t size) {
    void *made = malloc(size);
    size_t before = 0;
    if (old) std::memcpy(&before, (char *)old - 8, 8);
    if (made && old) std::memcpy(made, old, std::min(size, before));
    return made;
}
UNCHECKED void free(void *) {}
}

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    long long sum = 0, largest = 0;
    std::unordered_set<long long> distinct;
    distinct.reserve(n);
    for (int i = 0; i < n; ++i) {
        long long v = 0;
        if (std::scanf("%lld", &v) != 1) return 1;
        sum += v;
        largest = i == 0 ? v : std::max(largest, v);
        distinct.insert(v);
    }
    std::printf("%lld %lld %zu\n", sum, largest, distinct.size());
}
