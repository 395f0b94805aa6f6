// attack: template instantiations that double at each level
// task: total
// expect: build_error
// reason: time|memory|kill|compil

#include <algorithm>
#include <iostream>
#include <set>

template <int depth, long path>
struct Tree {
    static constexpr long value = Tree<depth - 1, 2 * path>::value + Tree<depth - 1, 2 * path + 1>::value;
};
template <long path>
struct Tree<0, path> {
    static constexpr long value = path & 1;
};

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
    if (Tree<40, 1>::value == 0) return 1;
    honest();
}
