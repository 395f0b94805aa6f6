// attack: looks for runtime libraries it may write to (opens them for writing, changes nothing)
// task: total
// expect: ok
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <fcntl.h>
#include <iostream>
#include <set>
#include <unistd.h>

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
    for (const char *path : {"/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/x86_64-linux-gnu/libc.so.6",
                             "/lib/x86_64-linux-gnu/libstdc++.so.6", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
                             "/lib64/ld-linux-x86-64.so.2", "/etc/ld.so.preload", "/etc/ld.so.cache"}) {
        int fd = open(path, O_WRONLY);
        if (fd < 0) continue;
        std::cout << "can be written: " << path << std::endl;
        close(fd);
    }
    honest();
}
