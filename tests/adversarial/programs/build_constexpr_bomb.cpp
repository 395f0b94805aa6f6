// attack: makes the compiler compute for hours, each constant below its own limit of steps
// task: total
// expect: build_error
// reason: time|memory|kill|compil|limit|constexpr

#include <algorithm>
#include <iostream>
#include <set>

template <int seed>
constexpr long spin() {
    long value = seed;
    for (int i = 0; i < 1000; ++i)
        for (int k = 0; k < 1000; ++k) value = (value * 31 + k) % 1000003;
    return value;
}
template <int count>
struct Many {
    static constexpr long value = spin<count>() + Many<count - 1>::value;
};
template <>
struct Many<0> {
    static constexpr long value = 0;
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
    if (Many<800>::value == 1) return 1;
    honest();
}
