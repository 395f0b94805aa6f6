// A hash table instead of a tree, one lookup per command instead of three, and
// the input read and the output written in one piece.

#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>
#include <unordered_map>

namespace {

std::string read_all() {
    std::string text;
    char buffer[1 << 16];
    std::size_t got;
    while ((got = std::fread(buffer, 1, sizeof buffer, stdin)) > 0) {
        text.append(buffer, got);
    }
    return text;
}

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    std::string_view word() {
        while (at_ < text_.size() && is_space(text_[at_])) {
            at_++;
        }
        const std::size_t start = at_;
        while (at_ < text_.size() && !is_space(text_[at_])) {
            at_++;
        }
        return text_.substr(start, at_ - start);
    }

    long long number() {
        std::string_view digits = word();
        if (!digits.empty() && digits.front() == '+') {
            digits.remove_prefix(1);
        }
        long long value = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return value;
    }

private:
    static bool is_space(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

void write_number(std::string &out, long long value) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out.append(digits, end);
}

}  // namespace

int main() {
    const std::string text = read_all();
    Reader reader(text);
    std::string out;

    // The names stay in `text`, so the table needs no copies of them.
    std::unordered_map<std::string_view, long long> totals;
    totals.reserve(1 << 16);

    const long long n = reader.number();
    for (long long i = 0; i < n; i++) {
        const std::string_view command = reader.word();
        const std::string_view name = reader.word();
        if (command == "add") {
            totals[name] += reader.number();
            continue;
        }
        const auto found = totals.find(name);
        if (found == totals.end()) {
            out += "none\n";
            continue;
        }
        write_number(out, found->second);
        out += '\n';
        if (command != "get") {
            totals.erase(found);
        }
    }

    long long sum = 0;
    for (const auto &entry : totals) {
        sum += entry.second;
    }
    write_number(out, static_cast<long long>(totals.size()));
    out += ' ';
    write_number(out, sum);
    out += '\n';
    std::fwrite(out.data(), 1, out.size(), stdout);
    return 0;
}
