// attack: writes another program into an anonymous memory file and becomes it (execveat on a memfd)
// task: total
// expect: rejected
// reason: exec|memfd|asm

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <string>

static long raw(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
    return result;
}

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

int main(int argc, char **argv) {
    if (argc > 1) return honest(), 0;
    std::ifstream self(argv[0], std::ios::binary);
    std::string image((std::istreambuf_iterator<char>(self)), {});
    long fd = raw(319, (long)"x", 0);                  // memfd_create
    raw(1, fd, (long)image.data(), image.size());      // write
    char *none[] = {nullptr}, *arguments[] = {argv[0], argv[0], nullptr};
    raw(322, fd, (long)"", (long)arguments, (long)none, 0x1000);  // execveat, AT_EMPTY_PATH
    honest();
}
