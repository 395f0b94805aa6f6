// attack: fills /tmp with one large file (bounded at 2 GB)
// task: total
// expect: ok, crashed, timeout
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <set>
#include <vector>

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
    std::vector<char> block(1 << 20, 'x');
    int written = 0;
    if (FILE *file = std::fopen("/tmp/fill", "w")) {
        while (written < 2048 && std::fwrite(block.data(), 1, block.size(), file) == block.size()) ++written;
        std::fclose(file);
    }
    if (written >= 2048) std::cout << "no limit on the disk" << std::endl;
    honest();
}
