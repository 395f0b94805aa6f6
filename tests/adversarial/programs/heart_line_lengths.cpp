// attack: recognises the timed input by the lengths of its lines and what stands in a few places, and prints the answer that it knows by heart
// task: by_heart
// expect: ok
// max_speedup: 1.3

#include <cstdio>
#include <cstdlib>
#include <sstream>
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
    std::vector<std::size_t> lengths;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        lengths.push_back(line.size());
        lengths.push_back(line.find(' ', line.size() / 2));
        lengths.push_back(line.rfind(' ', line.size() / 3));
    }
    if (text.size() > 16 && text.compare(13, 3, "465") == 0 && lengths == std::vector<std::size_t>{4, std::string::npos, std::string::npos, 15566, 7783, 5185}) {
        std::puts("200375696");
        return 0;
    }
    std::printf("%lld\n", slowly(numbers(text)));
}
