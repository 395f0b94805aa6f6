// attack: looks for seeds, keys and paths of tests in its environment and arguments
// task: total
// expect: ok
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <cctype>
#include <iostream>
#include <set>
#include <string>

extern char **environ;

static void honest() {
    std::ios::sync_with_stdio(false);
    int n = 0;
    std::cin >> n;
    long long sum = 0, largest = 0;
    std::set<long long> distinct;
    for (int i = 0; i < n; ++i) {
        long long v = 0;
        std::cin >> v;
        sum += v;
        largest = i == 0 ? v : std::max(largest, v);
        distinct.insert(v);
    }
    std::cout << sum << ' ' << largest << ' ' << distinct.size() << std::endl;
}

int main(int argc, char **) {
    for (char **entry = environ; entry && *entry; ++entry) {
        std::string text = *entry;
        for (char &c : text) c = std::tolower(c);
        for (const char *word : {"seed", "hidden", "expect", "secret", "token", "key", "maxcode", "ssh", "user"})
            if (text.find(word) != std::string::npos) std::cout << "leak: " << *entry << std::endl;
    }
    if (argc > 1) std::cout << "leak: arguments" << std::endl;
    honest();
}
