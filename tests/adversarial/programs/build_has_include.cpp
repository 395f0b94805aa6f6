// attack: asks the preprocessor which files of the machine exist
// task: total
// expect: rejected, ok
// reason: include|^$|ok|pass
// max_speedup: 1.5

#include <algorithm>
#include <iostream>
#include <set>

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
#if __has_include("/etc/passwd") || __has_include("/proc/self/status") || __has_include("/root/.bashrc")
    std::cout << "the compiler sees the machine" << std::endl;
#endif
#if __has_include("../tests/hidden/output.0.txt") || __has_include("tests/hidden/output.0.txt") || __has_include("task.toml")
    std::cout << "the compiler sees the tests" << std::endl;
#endif
    honest();
}
