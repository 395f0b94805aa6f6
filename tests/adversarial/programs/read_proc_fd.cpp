// attack: opens its own and the supervisor's descriptors again, for writing, through /proc and /dev/fd
// task: total
// expect: ok
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <fcntl.h>
#include <iostream>
#include <set>
#include <string>

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
    for (std::string folder : {"/proc/self/fd/", "/proc/1/fd/", "/dev/fd/"})
        for (int fd = 0; fd < 128; ++fd) {
            std::string path = folder + std::to_string(fd);
            if (open(path.c_str(), O_RDWR) >= 0) std::cout << "opened " << path << std::endl;
        }
    honest();
}
