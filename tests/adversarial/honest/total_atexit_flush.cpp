// attack: none, an honest aggressive program: a large buffer for standard output, flushed when the program ends
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static char buffer[1 << 20];
static void flush() { std::fflush(stdout); }

static bool number(long long &v) {
    int c = getchar_unlocked();
    while (c != EOF && c != '-' && unsigned(c - '0') > 9) c = getchar_unlocked();
    bool negative = c == '-';
    if (negative) c = getchar_unlocked();
    unsigned long long found = 0;
    bool any = false;
    for (; unsigned(c - '0') <= 9; c = getchar_unlocked(), any = true) found = found * 10 + (c - '0');
    v = (long long)(negative ? 0 - found : found);
    return any;
}

int main() {
    std::setvbuf(stdin, nullptr, _IOFBF, 1 << 20);
    std::setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    std::atexit(flush);
    long long n = 0, sum = 0;
    if (!number(n)) return 1;
    std::vector<long long> values(n);
    for (auto &v : values) {
        if (!number(v)) return 1;
        sum += v;
    }
    std::sort(values.begin(), values.end());
    auto distinct = std::unique(values.begin(), values.end()) - values.begin();
    std::printf("%lld %lld %lld\n", sum, n ? *std::max_element(values.begin(), values.begin() + distinct) : 0, (long long)distinct);
    std::exit(0);
}
