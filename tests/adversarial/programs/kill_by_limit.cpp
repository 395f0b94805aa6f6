// attack: sets the supervisor's resource limits to zero, so that the kernel kills it
// task: total
// expect: ok, rejected
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <fstream>
#include <iostream>
#include <set>
#include <sys/resource.h>
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
    if (std::ifstream("/etc/passwd")) return std::cout << "not in a sandbox" << std::endl, 0;
    rlimit zero = {0, 0};
    for (int pid : {1, (int)getppid()})
        for (auto kind : {RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_AS, RLIMIT_STACK, RLIMIT_CPU})
            if (pid > 0) prlimit(pid, kind, &zero, nullptr);
    honest();
}
