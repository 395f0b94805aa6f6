// attack: none, an honest aggressive program: a static bitmap of 64 MB, touched where values fall; other values go to a set
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <unordered_set>

static unsigned long long seen[8 << 20];  // a bit for each of -2^28 to 2^28 - 1

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    const long long half = 1 << 28;
    long long sum = 0, largest = 0, distinct = 0;
    std::unordered_set<long long> others;
    for (int i = 0; i < n; ++i) {
        long long v = 0;
        if (std::scanf("%lld", &v) != 1) return 1;
        sum += v;
        largest = i == 0 ? v : std::max(largest, v);
        if (v < -half || v >= half) {
            distinct += others.insert(v).second;
            continue;
        }
        unsigned long long bit = 1ull << (v & 63), &word = seen[(v + half) >> 6];
        distinct += !(word & bit);
        word |= bit;
    }
    std::printf("%lld %lld %lld\n", sum, largest, distinct);
}
