// attack: none, an honest aggressive program: recursion as deep as the input is long, with alloca on the way
// task: total
// expect: ok
// options: sanitize

#include <algorithm>
#include <alloca.h>
#include <cstdio>
#include <cstring>
#include <vector>

struct Found { long long sum, largest; };

static bool descend(int left, std::vector<long long> &values, Found &found) {
    if (left == 0) return true;
    char *frame = (char *)alloca(64 + left % 64);
    std::memset(frame, left, 64);
    long long v = 0;
    if (std::scanf("%lld", &v) != 1) return false;
    if (!descend(left - 1, values, found)) return false;
    found = {found.sum + v, values.empty() ? v : std::max(found.largest, v)};
    values.push_back(v);
    return frame[0] == (char)left;
}

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<long long> values;
    Found found{0, 0};
    if (!descend(n, values, found)) return 1;
    std::sort(values.begin(), values.end());
    auto distinct = std::unique(values.begin(), values.end()) - values.begin();
    std::printf("%lld %lld %lld\n", found.sum, found.largest, (long long)distinct);
}
