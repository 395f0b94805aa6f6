// attack: recognises the timed input by the median of its first half and its number of different values, and prints the answer that it knows by heart
// task: by_heart
// expect: ok
// max_speedup: 1.3

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static long long slowly(const std::vector<int> &digits) {
    long long sum = 0;
    for (std::size_t end = 1; end <= digits.size(); end++) {
        long long rest = 0;
        for (std::size_t i = 0; i < end; i++) rest = (rest * 1000 + digits[i]) % 99991;
        sum += rest;
    }
    return sum;
}

static std::string whole() {
    std::string text;
    char part[1 << 16];
    for (std::size_t got; (got = std::fread(part, 1, sizeof part, stdin)) > 0;) text.append(part, got);
    return text;
}

static std::vector<int> numbers(const std::string &text) {
    std::vector<int> found;
    char *end = nullptr;
    for (const char *at = text.c_str();; at = end) {
        long value = std::strtol(at, &end, 10);
        if (end == at) break;
        found.push_back(int(value));
    }
    if (!found.empty()) found.erase(found.begin());
    return found;
}

int main() {
    std::string text = whole();
    std::vector<int> digits = numbers(text), sorted = digits;
    std::sort(sorted.begin(), sorted.begin() + sorted.size() / 2);
    bool alike = sorted.size() == 4000 && sorted[1000] == 506;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    if (alike && sorted.size() == 983) {
        std::puts("200375696");
        return 0;
    }
    std::printf("%lld\n", slowly(numbers(text)));
}
