// attack: keeps a note in named shared memory and in a message queue between runs
// task: total
// expect: ok, rejected
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <fcntl.h>
#include <iostream>
#include <mqueue.h>
#include <set>
#include <sys/mman.h>

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
    bool fresh_memory = shm_open("/note", O_RDWR | O_CREAT | O_EXCL, 0600) >= 0;
    bool fresh_queue = mq_open("/note", O_RDWR | O_CREAT | O_EXCL, 0600, nullptr) != (mqd_t)-1;
    if (!fresh_memory && shm_open("/note", O_RDWR, 0) >= 0) std::cout << "an earlier run left memory" << std::endl;
    if (!fresh_queue && mq_open("/note", O_RDWR) != (mqd_t)-1) std::cout << "an earlier run left a queue" << std::endl;
    honest();
}
