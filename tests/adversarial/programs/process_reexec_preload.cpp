// attack: sets LD_PRELOAD and starts itself again, to put its own clock under everything
// task: total
// expect: rejected
// reason: exec|environment|setenv

#include <algorithm>
#include <cstdlib>
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

int main(int, char **argv) {
    if (!std::getenv("LD_PRELOAD")) {
        setenv("LD_PRELOAD", "/tmp/clock.so", 1);
        execv(argv[0], argv);
    }
    honest();
}
