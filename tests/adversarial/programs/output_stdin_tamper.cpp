// attack: truncates, rewrites and seeks its input, so that later runs would read an empty one
// task: total
// expect: ok
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <fcntl.h>
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
    honest();
    bool changed = ftruncate(0, 0) == 0;
    changed |= write(0, "1 0\n", 4) > 0;
    lseek(0, 0, SEEK_END);
    fcntl(0, F_SETFL, O_NONBLOCK);
    fcntl(1, F_SETFL, O_NONBLOCK);
    if (changed) std::cout << "the input can be written" << std::endl;
}
