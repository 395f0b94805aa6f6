// attack: has the kernel do much that is of no use beside an honest gain: copies between pages, none of which is counted
// task: total_counted
// expect: rejected
// reason: clock disagree

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>
#include <vector>
int main() {
    static char buffer[1 << 23];
    size_t length = fread(buffer, 1, sizeof buffer - 1, stdin);
    buffer[length] = 0;
    char *p = buffer;
    auto next = [&] {
        while (*p && *p <= ' ') p++;
        bool minus = *p == '-';
        p += minus;
        long long value = 0;
        while (*p >= '0') value = value * 10 + *p++ - '0';
        return minus ? -value : value;
    };
    int n = next();
    std::vector<long long> all(n);
    long long sum = 0, largest = 0;
    for (int i = 0; i < n; i++) {
        sum += all[i] = next();
        largest = i ? std::max(largest, all[i]) : all[i];
    }
    std::sort(all.begin(), all.end());
    int different = std::unique(all.begin(), all.end()) - all.begin();
    int zeros = open("/dev/zero", O_RDONLY);
    for (int i = 0; i < 150; i++)
        if (read(zeros, buffer, sizeof buffer) < 0) break;
    printf("%lld %lld %d\n", sum, largest, different);
}
