// attack: counts distinct values with uninitialised heap memory that it takes to be zero
// task: total
// expect: wrong, crashed
// reason: differ|expected|mismatch|wrong|output|answer|sanitizer|overflow|signal
// options: sanitize

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <vector>

int main() {
    int n = 0;
    std::cin >> n;
    { std::vector<char> dirty(1 << 16, 1); }  // freed: the next block of this size is not zero
    char *seen = static_cast<char *>(std::malloc(1 << 16));
    long long sum = 0, largest = 0, distinct = 0;
    for (int i = 0; i < n; ++i) {
        long long v = 0;
        std::cin >> v;
        sum += v;
        largest = i == 0 ? v : std::max(largest, v);
        char &mark = seen[(unsigned long long)v & 0xffff];
        distinct += !mark;
        mark = 1;
    }
    std::cout << sum << ' ' << largest << ' ' << distinct << std::endl;
    std::free(seen);
}
