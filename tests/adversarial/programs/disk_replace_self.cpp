// attack: destroys and replaces its own file, so that later runs would start another program than the one verified
// task: total
// expect: ok
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <fstream>
#include <iostream>
#include <set>
#include <sys/stat.h>
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

int main(int, char **argv) {
    honest();
    std::ifstream outside("/etc/passwd");
    if (outside) {
        std::cout << "not in a sandbox" << std::endl;
        return 0;
    }
    unlink(argv[0]);
    std::ofstream(argv[0]) << "not a program";
    chmod(argv[0], 0755);
}
