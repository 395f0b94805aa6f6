// attack: none, an honest faster program: the tree replaced by a reserved hash set
// task: total
// expect: ok
// reason: .*

#include <algorithm>
#include <cstdio>
#include <unordered_set>

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    long long sum = 0, largest = 0;
    std::unordered_set<long long> distinct;
    distinct.reserve(2 * n);
    for (int i = 0; i < n; ++i) {
        long long v = 0;
        if (std::scanf("%lld", &v) != 1) return 1;
        sum += v;
        largest = i == 0 ? v : std::max(largest, v);
        distinct.insert(v);
    }
    std::printf("%lld %lld %zu\n", sum, largest, distinct.size());
}
