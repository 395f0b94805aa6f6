// attack: none, an honest aggressive program: operator new replaced by a bump allocator that never frees, under the original's tree
// task: total
// expect: ok
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <set>

static char *at, *limit;

void *operator new(size_t size) {
    size = (size + 15) & ~size_t(15);
    if (size_t(limit - at) < size) {
        size_t block = std::max(size, size_t(1) << 20);
        at = (char *)std::malloc(block);
        if (!at) throw std::bad_alloc();
        limit = at + block;
    }
    char *found = at;
    at += size;
    return found;
}
void operator delete(void *) noexcept {}
void operator delete(void *, size_t) noexcept {}

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    long long sum = 0, largest = 0;
    auto &distinct = *new std::set<long long>;  // never destroyed
    for (int i = 0; i < n; ++i) {
        long long v = 0;
        if (std::scanf("%lld", &v) != 1) return 1;
        sum += v;
        largest = i == 0 ? v : std::max(largest, v);
        distinct.insert(v);
    }
    std::printf("%lld %lld %zu\n", sum, largest, distinct.size());
}
