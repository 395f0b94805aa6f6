// attack: makes itself invisible to tools that read /proc, so that no measurement can be taken
// task: total
// expect: ok, rejected
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <iostream>
#include <set>
#include <sys/prctl.h>

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
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_NAME, "end {\"exit\": 0}");
    prctl(PR_SET_PDEATHSIG, 0);
    honest();
}
