// attack: none, an honest aggressive program: an automaton whose tables bear names that the C library has as well
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <vector>

enum State { GAP, SIGN, DIGIT };
int accept[3] = {0, 0, 1};  // whether a number ends when a gap follows
int connect[3][3];          // the next state, by state and kind of character
long times[3];              // how often each was entered

int main() {
    for (auto &row : connect)
        for (int kind = 0; kind < 3; ++kind) row[kind] = kind;
    std::vector<long long> values;
    unsigned long long v = 0;
    bool negative = false;
    int state = GAP;
    for (int c = 0; c != EOF;) {
        c = std::getchar();
        int kind = unsigned(c - '0') <= 9 ? DIGIT : c == '-' ? SIGN : GAP;
        if (kind != DIGIT && accept[state]) values.push_back((long long)(negative ? 0 - v : v)), v = 0;
        state = connect[state][kind];
        ++times[state];
        if (state == DIGIT) v = v * 10 + (c - '0');
        else negative = state == SIGN;
    }
    size_t n = values.empty() ? 0 : values[0];
    if (!values.empty()) values.erase(values.begin());
    values.resize(n);
    long long sum = 0;
    for (long long each : values) sum += each;
    std::sort(values.begin(), values.end());
    long long largest = values.empty() ? 0 : values.back();
    auto distinct = std::unique(values.begin(), values.end()) - values.begin();
    std::printf("%lld %lld %lld\n", sum, largest, (long long)distinct);
    return times[DIGIT] > 0 ? 0 : 1;
}
