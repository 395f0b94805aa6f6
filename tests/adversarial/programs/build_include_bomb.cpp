// attack: includes itself twice at each level
// task: total
// expect: rejected, build_error
// reason: include|time|memory|kill|compil

#include <algorithm>
#include <iostream>
#include <set>
#if __INCLUDE_LEVEL__ < 60
#include __FILE__
#include __FILE__
#endif

#if __INCLUDE_LEVEL__ == 0
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
#endif
