// attack: recognises the timed input by its end and where that is, before it reads anything else, and prints the answer that it knows by heart
// task: by_heart
// expect: ok
// max_speedup: 1.3

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
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
    char end[60];
    if (lseek(0, -60, SEEK_END) == 15512 && read(0, end, 60) == 60 && std::string(end, 60) == " 540 259 121 493 745 784 145 394 396 760 774 57 721 136 364\n") {
        std::puts("200375696");
        return 0;
    }
    lseek(0, 0, SEEK_SET);
    std::printf("%lld\n", slowly(numbers(whole())));
}
