// attack: none, an honest aggressive program: a tokenizer by computed goto
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
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

static std::vector<long long> numbers(const std::string &text) {
    static const void *const on_gap[] = {&&gap, &&sign, &&digit, &&done};
    static const void *const in_number[] = {&&store, &&store, &&digit, &&store};
    static unsigned char kind[256];
    kind[(int)'-'] = 1;
    for (int c = '0'; c <= '9'; ++c) kind[c] = 2;
    kind[0] = 3;
    std::vector<long long> found;
    auto *p = (const unsigned char *)text.c_str() - 1;
    unsigned long long v = 0;
    bool negative = false;
gap:
    ++p;
    goto *on_gap[kind[*p]];
sign:
    negative = true;
    goto gap;
digit:
    v = v * 10 + (*p++ - '0');
    goto *in_number[kind[*p]];
store:
    found.push_back((long long)(negative ? 0 - v : v));
    v = 0, negative = false;
    goto *on_gap[kind[*p]];
done:
    return found;
}

int main() {
    std::string text;
    static char block[1 << 16];
    for (size_t got; (got = std::fread(block, 1, sizeof block, stdin)) > 0;) text.append(block, got);
    auto values = numbers(text);
    size_t n = values.empty() ? 0 : values[0];
    if (!values.empty()) values.erase(values.begin());
    values.resize(n);
    report(std::move(values));
}
