// attack: starts threads until no more can be had (bounded at 20000)
// task: total
// expect: ok, crashed, timeout, rejected
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <iostream>
#include <pthread.h>
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

static void *idle(void *) {
    pause();
    return nullptr;
}

int main() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16384);
    pthread_t thread;
    for (int i = 0; i < 20000 && pthread_create(&thread, &attributes, idle, nullptr) == 0; ++i) {}
    honest();
}
