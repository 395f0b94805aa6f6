// attack: fills anonymous shared memory files, which no limit on the address space sees (bounded at 4 GB)
// task: total
// expect: crashed, rejected
// reason: larger file|memory|alloc|space|signal|memfd

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

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
    std::string block(1 << 20, 'x');
    for (int i = 0; i < 64; ++i) {
        int fd = memfd_create("x", 0);
        for (int k = 0; k < 64; ++k)
            if (write(fd, block.data(), block.size()) != (ssize_t)block.size()) std::abort();
    }
    honest();
}
