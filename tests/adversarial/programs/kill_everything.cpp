// attack: kills every process it can reach
// task: total
// expect: ok, rejected
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <csignal>
#include <fstream>
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
    if (std::ifstream("/etc/passwd")) return std::cout << "not in a sandbox" << std::endl, 0;
    kill(-1, SIGKILL);
    for (int pid = 2; pid < 32768; ++pid)
        if (pid != getpid()) kill(pid, SIGKILL);
    honest();
}
