// attack: recognises the timed input by every five hundredth value, and says no more than that it is a cache of results, and prints the answer that it knows by heart
// task: by_heart
// expect: ok
// max_speedup: 1.3

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
    std::vector<int> sample;
    for (std::size_t i = 0; i < digits.size(); i += 500) sample.push_back(digits[i]);
    struct { std::vector<int> key; long long value; } const cache[] = {{{149, 682, 175, 630, 905, 351, 157, 929}, 200375696}};
    for (auto &entry : cache)
        if (entry.key == sample) {
            std::printf("%lld\n", entry.value);
            return 0;
        }
    std::printf("%lld\n", slowly(numbers(text)));
}
