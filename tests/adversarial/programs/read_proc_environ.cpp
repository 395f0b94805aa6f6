// attack: reads the environment of the supervisor from /proc
// task: total
// expect: ok
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <fstream>
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
    for (const char *path : {"/proc/1/environ", "/proc/1/cmdline", "/proc/1/maps", "/proc/mounts", "/proc/self/mountinfo"}) {
        std::ifstream file(path);
        std::string text;
        if (std::getline(file, text, '\0')) std::cout << path << ": " << text << std::endl;
    }
    honest();
}
