// attack: none, an honest aggressive program: a longjmp out of the parser at the end of its input
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <string>
#include <vector>

static void report(std::vector<long long> values) {
    long long sum = 0;
    for (long long v : values) sum += v;
    std::sort(values.begin(), values.end());
    long long largest = values.empty() ? 0 : values.back();
    long long distinct = std::unique(values.begin(), values.end()) - values.begin();
    std::printf("%lld %lld %lld\n", sum, largest, distinct);
}

static std::jmp_buf at_end;
static std::string text;
static std::vector<long long> values;
static size_t at;

static char get() {
    if (at == text.size()) std::longjmp(at_end, 1);
    return text[at++];
}

static void parse() {
    for (;;) {
        char c = get();
        while (c != '-' && unsigned(c - '0') > 9) c = get();
        bool negative = c == '-';
        if (negative) c = get();
        unsigned long long v = 0;
        for (; unsigned(c - '0') <= 9; c = get()) v = v * 10 + (c - '0');
        values.push_back((long long)(negative ? 0 - v : v));
    }
}

int main() {
    static char block[1 << 16];
    for (size_t got; (got = std::fread(block, 1, sizeof block, stdin)) > 0;) text.append(block, got);
    text += '\n';
    if (setjmp(at_end) == 0) parse();
    size_t n = values.empty() ? 0 : values[0];
    if (!values.empty()) values.erase(values.begin());
    values.resize(n);
    report(std::move(values));
}
