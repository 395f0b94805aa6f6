// attack: keeps answers in files between runs and prints them instead of working
// task: total
// expect: ok
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string>

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

int main() {
    std::ios::sync_with_stdio(false);
    std::stringstream input;
    input << std::cin.rdbuf();
    std::string name = std::to_string(std::hash<std::string>()(input.str())), answer;
    for (std::string folder : {"/tmp/", "/dev/shm/", "/var/tmp/", "./", "/"})
        if (std::getline(std::ifstream(folder + name), answer)) return std::cout << answer << std::endl, 0;
    std::stringstream output;
    auto *in = std::cin.rdbuf(input.rdbuf()), *out = std::cout.rdbuf(output.rdbuf());
    honest();
    std::cin.rdbuf(in);
    std::cout.rdbuf(out);
    for (std::string folder : {"/tmp/", "/dev/shm/", "/var/tmp/", "./", "/"}) std::ofstream(folder + name) << output.str();
    std::cout << output.str() << std::flush;
}
