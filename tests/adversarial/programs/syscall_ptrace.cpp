// attack: attaches to the supervisor with ptrace, written plainly
// task: total
// expect: rejected
// reason: ptrace

#include <algorithm>
#include <iostream>
#include <set>
#include <sys/ptrace.h>
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
    ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
    honest();
}
