// attack: leaves the work to a detached thread and returns from main at once
// task: total
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|answer|empty|missing

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>
#include <thread>
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
    std::thread([] {
        usleep(50000);
        honest();
    }).detach();
    _exit(0);
}
