// attack: has the kernel send the supervisor a signal, by making it the owner of a pipe
// task: total
// expect: ok, rejected
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <csignal>
#include <fcntl.h>
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
    int ends[2];
    if (pipe(ends) == 0)
        for (int signal : {SIGKILL, SIGSTOP, SIGUSR1}) {
            fcntl(ends[0], F_SETOWN, getppid());
            fcntl(ends[0], 10, signal);  // F_SETSIG
            fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
            if (write(ends[1], "x", 1) != 1) break;
        }
    honest();
}
