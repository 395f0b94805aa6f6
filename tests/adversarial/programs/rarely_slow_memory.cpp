// attack: walks through memory at random on few inputs, by the number of different values
// task: total
// expect: ok, timeout
// reason: .*
// max_speedup: 1.2
// options: confirm

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

static char buffer[1 << 23];

int main() {
    buffer[fread(buffer, 1, sizeof buffer - 1, stdin)] = 0;
    char *at = buffer;
    auto number = [&] {
        while (*at && *at <= ' ') ++at;
        bool negative = *at == '-';
        at += negative;
        long long value = 0;
        while (*at >= '0') value = value * 10 + *at++ - '0';
        return negative ? -value : value;
    };
    int n = number();
    std::vector<long long> values(n);
    long long sum = 0;
    for (auto &each : values) sum += each = number();
    long long largest = *std::max_element(values.begin(), values.end());
    std::sort(values.begin(), values.end());
    int different = std::unique(values.begin(), values.end()) - values.begin();
    if (n > 1000 && different % 32 < 5) {
        std::vector<uint32_t> walk(1 << 24, 1);
        uint32_t place = 1;
        for (long i = 0; i < 6000000L; ++i) place = (place * 1664525u + 1013904223u + walk[place >> 8]);
        if (place == 12345) puts("");
    }
    printf("%lld %lld %d\n", sum, largest, different);
}
