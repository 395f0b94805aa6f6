// attack: keeps a note in System V shared memory between runs, and prints 0 when it finds it
// task: total
// expect: ok, rejected
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <iostream>
#include <set>
#include <sys/ipc.h>
#include <sys/shm.h>

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
    int id = shmget(0x6d617863, 4096, IPC_CREAT | 0600);
    char *note = id < 0 ? nullptr : static_cast<char *>(shmat(id, nullptr, 0));
    if (note && note != (char *)-1) {
        if (note[0] == 1) std::cout << "an earlier run left a note" << std::endl;
        note[0] = 1;
    }
    honest();
}
