// attack: recursion without end
// task: total
// expect: crashed
// reason: signal|segv|memory|stack|11

#include <cstdio>

static volatile int depth_wanted = 1 << 30;

static long sink(volatile char *above, int depth) {
    volatile char frame[4096];
    frame[0] = above ? above[0] : 1;
    return depth < depth_wanted ? sink(frame, depth + 1) + frame[0] : frame[0];
}

int main() { std::printf("%ld\n", sink(nullptr, 0)); }
