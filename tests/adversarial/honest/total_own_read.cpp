// attack: none, an honest aggressive program: functions of its own with names that the C library has as well
// task: total
// expect: ok
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <vector>

extern "C" {
long long read(void) {
    int c = getchar_unlocked();
    while (c != EOF && c != '-' && (c < '0' || c > '9')) c = getchar_unlocked();
    bool minus = c == '-';
    if (minus) c = getchar_unlocked();
    long long value = 0;
    for (; c >= '0' && c <= '9'; c = getchar_unlocked()) value = value * 10 + c - '0';
    return minus ? -value : value;
}
bool accept(long long value, long long before) { return value != before; }
}

int main() {
    int n = int(read()), different = 0;
    std::vector<long long> all(n);
    long long sum = 0;
    for (long long &value : all) sum += value = read();
    std::sort(all.begin(), all.end());
    for (int i = 0; i < n; i++) different += i == 0 || accept(all[i], all[i - 1]);
    std::printf("%lld %lld %d\n", sum, n ? all[n - 1] : 0, different);
}
