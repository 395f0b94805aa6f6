// attack: the main thread leaves at once, another thread works, for a clock that watches the first thread
// task: total
// expect: ok
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <pthread.h>
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

static void *work(void *) {
    honest();
    std::exit(0);
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, work, nullptr);
    pthread_exit(nullptr);
}
