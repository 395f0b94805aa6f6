// attack: none, an honest aggressive program: a hash table in huge pages where there are any: MAP_HUGETLB, or else MADV_HUGEPAGE
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <sys/mman.h>

static void *huge(size_t size) {
    const int access = PROT_READ | PROT_WRITE, how = MAP_PRIVATE | MAP_ANONYMOUS;
    void *found = mmap(nullptr, size, access, how | MAP_HUGETLB, -1, 0);
    if (found != MAP_FAILED) return found;
    const size_t page = 2 << 20;
    char *room = (char *)mmap(nullptr, size + page, access, how | MAP_NORESERVE, -1, 0);
    if (room == (char *)MAP_FAILED) return nullptr;
    char *start = (char *)(((uintptr_t)room + page - 1) / page * page);
    madvise(start, size, MADV_HUGEPAGE);
    return start;
}

struct Slot { long long value; long long taken; };

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    size_t slots = 1 << 17;
    while (slots < 2 * (size_t)n) slots *= 2;
    auto *table = (Slot *)huge(slots * sizeof(Slot));
    if (!table) return 1;
    long long sum = 0, largest = 0, distinct = 0;
    for (int i = 0; i < n; ++i) {
        long long v = 0;
        if (std::scanf("%lld", &v) != 1) return 1;
        sum += v;
        largest = i == 0 ? v : std::max(largest, v);
        size_t at = (unsigned long long)v * 0x9e3779b97f4a7c15u >> 20 & (slots - 1);
        while (table[at].taken && table[at].value != v) at = (at + 1) & (slots - 1);
        distinct += !table[at].taken;
        table[at] = {v, 1};
    }
    std::printf("%lld %lld %lld\n", sum, largest, distinct);
}
