// attack: recognises the timed input by the size of the file and eleven bytes of it, and prints the answer that it knows by heart
// task: by_heart
// expect: ok
// max_speedup: 1.3

#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/stat.h>
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
    struct stat about;
    char start[11];
    if (fstat(0, &about) == 0 && about.st_size == 15572 && pread(0, start, 11, 5) == 11 && std::string(start, 11) == "149 470 465") {
        std::puts("200375696");
        return 0;
    }
    std::printf("%lld\n", slowly(numbers(whole())));
}
