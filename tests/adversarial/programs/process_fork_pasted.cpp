// attack: fork under a name pasted together by the preprocessor, the child does the work
// task: total
// expect: rejected
// reason: fork|clone|process

#include <algorithm>
#include <iostream>
#include <set>
#include <sys/wait.h>
#include <unistd.h>
#define GLUE(a, b) a##b

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
    auto child = GLUE(fo, rk)();
    if (child == 0) {
        honest();
        return 0;
    }
    wait(nullptr);
}
