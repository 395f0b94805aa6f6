// attack: loads another library under a name that hides dlopen
// task: total
// expect: ok, rejected
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <iostream>
#include <set>

extern "C" void *fetch(const char *, int) __asm__("dlopen");

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
    for (const char *name : {"libcrypto.so.3", "libblas.so.3", "libopenblas.so.0", "libcurl.so.4", "libsqlite3.so.0"})
        if (fetch(name, 2)) std::cout << "loaded " << name << std::endl;
    honest();
}
