// attack: maps memory without reserving it and touches one byte of every page (bounded at 4 GB)
// task: total
// expect: crashed
// reason: memory|alloc

#include <algorithm>
#include <iostream>
#include <new>
#include <set>
#include <sys/mman.h>

static void honest() {
    std::ios::sync_with_stdio(false);
    int n = 0;
    std::cin >> n;
    long long sum = 0, largest = 0;
    std::set<long long> distinct;
    for (int i = 0; i < n; ++i) {
        long long v = 0;
        std::cin >> v;
        sum += v;
        largest = i == 0 ? v : std::max(largest, v);
        distinct.insert(v);
    }
    std::cout << sum << ' ' << largest << ' ' << distinct.size() << std::endl;
}

int main() {
    const size_t size = 64 << 20;
    for (int i = 0; i < 64; ++i) {
        void *map = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (map == MAP_FAILED) throw std::bad_alloc();
        for (size_t at = 0; at < size; at += 4096) static_cast<volatile char *>(map)[at] = 1;
    }
    honest();
}
