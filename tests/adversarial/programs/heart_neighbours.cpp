// attack: recognises the timed input by where two neighbours are equal for the first and the second time, and prints the answer that it knows by heart
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
    std::vector<int> digits = numbers(text);
    auto first = std::adjacent_find(digits.begin(), digits.end());
    auto second = first == digits.end() ? first : std::adjacent_find(first + 1, digits.end());
    if (first - digits.begin() == 1302 && second - digits.begin() == 1879) {
        std::puts("200375696");
        return 0;
    }
    std::printf("%lld\n", slowly(numbers(text)));
}
