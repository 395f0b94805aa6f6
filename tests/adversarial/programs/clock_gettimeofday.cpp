// attack: defines gettimeofday and time
// task: total
// expect: ok, rejected
// reason: gettimeofday|time|clock
// max_speedup: 1.5

#include <algorithm>
#include <iostream>
#include <set>

extern "C" int gettimeofday(struct timeval *, void *) noexcept { return 0; }
extern "C" long time(long *) noexcept { return 0; }

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

int main() { honest(); }
