// attack: takes the address of popen and calls it through a pointer
// task: total
// expect: rejected
// reason: popen|clone|fork|process

#include <algorithm>
#include <cstdio>
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
    FILE *(*volatile start)(const char *, const char *) = &popen;
    if (FILE *pipe = start("id", "r")) std::fclose(pipe);
    honest();
}
