// attack: fills every writable folder with many empty files (bounded at 200000)
// task: total
// expect: ok, timeout, crashed
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <cstdio>
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
    for (std::string folder : {"/tmp/", "/dev/shm/", "/var/tmp/", "./"})
        for (int i = 0; i < 50000; ++i) {
            FILE *file = std::fopen((folder + "filler-" + std::to_string(i)).c_str(), "w");
            if (!file) break;
            std::fclose(file);
        }
    honest();
}
