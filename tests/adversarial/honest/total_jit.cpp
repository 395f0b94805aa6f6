// attack: none, an honest aggressive program: a loop compiled at run time: written into a page that is made executable afterwards
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <vector>

using Sum = long long (*)(const long long *, long);

static long long plain(const long long *v, long n) {
    long long sum = 0;
    for (long i = 0; i < n; ++i) sum += v[i];
    return sum;
}

static Sum compiled() {
#if defined(__x86_64__)
    const unsigned char code[] = {
        0x31, 0xc0,                    // xor eax, eax
        0x48, 0x85, 0xf6,              // test rsi, rsi
        0x74, 0x0c,                    // jz end
        0x48, 0x03, 0x07,              // add rax, [rdi]
        0x48, 0x83, 0xc7, 0x08,        // add rdi, 8
        0x48, 0xff, 0xce,              // dec rsi
        0x75, 0xf4,                    // jnz back to the addition
        0xc3,                          // end: ret
    };
    void *page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return nullptr;
    std::memcpy(page, code, sizeof code);
    return mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0 ? (Sum)page : nullptr;
#else
    return plain;
#endif
}

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<long long> values(n);
    for (auto &v : values)
        if (std::scanf("%lld", &v) != 1) return 1;
    Sum sum_of = compiled();
    long long sum = sum_of ? sum_of(values.data(), n) : plain(values.data(), n);
    std::sort(values.begin(), values.end());
    long long largest = values.empty() ? 0 : values.back();
    auto distinct = std::unique(values.begin(), values.end()) - values.begin();
    std::printf("%lld %lld %lld\n", sum, largest, (long long)distinct);
}
