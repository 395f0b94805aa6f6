// attack: looks for inherited descriptors beyond standard error
// task: total
// expect: ok
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <fcntl.h>
#include <iostream>
#include <set>

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
    for (int fd = 3; fd < 4096; ++fd)
        if (fcntl(fd, F_GETFD) != -1) std::cout << "descriptor " << fd << " is open" << std::endl;
    honest();
}
