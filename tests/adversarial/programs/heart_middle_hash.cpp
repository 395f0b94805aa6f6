// attack: recognises the timed input by a hash of 64 bytes in its middle, and prints the answer that it knows by heart
// task: by_heart
// expect: ok
// max_speedup: 1.3

#include <cstdint>
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

static std::uint64_t hash(const std::string &text, std::size_t from, std::size_t to) {
    std::uint64_t found = 14695981039346656037u;
    for (; from < to; from++) found = (found ^ (unsigned char)text[from]) * 1099511628211u;
    return found;
}

int main() {
    std::string text = whole();
    if (text.size() > 8064 && hash(text, 8000, 8064) == 10229316517640581069u) {
        std::puts("200375696");
        return 0;
    }
    std::printf("%lld\n", slowly(numbers(text)));
}
