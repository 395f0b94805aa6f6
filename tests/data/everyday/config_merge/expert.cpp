#include <cctype>
#include <iostream>
#include <map>
#include <string>

static bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)); }
static bool starts(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
static bool goes_on(char c) { return starts(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '.'; }

static bool parse(const std::string& line, std::string& key, std::string& value) {
    size_t i = 0, n = line.size();
    while (i < n && is_space(line[i])) i++;
    size_t first = i;
    if (i == n || !starts(line[i])) return false;
    while (i < n && goes_on(line[i])) i++;
    key.assign(line, first, i - first);
    while (i < n && is_space(line[i])) i++;
    if (i == n || line[i++] != '=') return false;
    while (i < n && is_space(line[i])) i++;
    size_t end = line.find('#', i);
    if (end == std::string::npos) end = n;
    while (end > i && is_space(line[end - 1])) end--;
    if (end == i) return false;
    value.assign(line, i, end - i);
    return true;
}

int main() {
    std::ios::sync_with_stdio(false);
    std::map<std::string, std::string> settings;
    std::string line, key, value;
    int ignored = 0;
    while (std::getline(std::cin, line)) {
        if (parse(line, key, value))
            settings[key] = value;
        else
            ignored++;
    }
    for (const auto& [name, setting] : settings) std::cout << name << '=' << setting << '\n';
    std::cout << settings.size() << " settings, " << ignored << " lines ignored\n";
}
