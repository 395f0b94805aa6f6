// attack: prints the right answer, closes its output and goes on for ever in an exit handler
// task: total
// expect: timeout
// reason: time

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>
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
    std::atexit([] {
        for (int fd = 0; fd < 3; ++fd) close(fd);
        for (volatile int spin = 0;; spin = spin + 1) {}
    });
    honest();
}
