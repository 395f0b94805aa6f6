// attack: none, an honest aggressive program: a stack of its own, mapped and switched to, with a guard page
// task: total
// expect: ok
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <vector>

static void report(std::vector<long long> values) {
    long long sum = 0;
    for (long long v : values) sum += v;
    std::sort(values.begin(), values.end());
    long long largest = values.empty() ? 0 : values.back();
    long long distinct = std::unique(values.begin(), values.end()) - values.begin();
    std::printf("%lld %lld %lld\n", sum, largest, distinct);
}

static ucontext_t outside, inside;
static std::vector<long long> values;

static void descend(int left) {
    long long v = 0;
    if (left == 0 || std::scanf("%lld", &v) != 1) return;
    descend(left - 1);
    values.push_back(v);
}

static void work() {
    int n = 0;
    if (std::scanf("%d", &n) == 1) descend(n);
}

int main() {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_STACK, &limit);
    }
    const size_t size = 64 << 20;
    const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    char *stack = (char *)mmap(nullptr, size, PROT_READ | PROT_WRITE, how, -1, 0);
    if (stack == (char *)MAP_FAILED || mprotect(stack, 4096, PROT_NONE) != 0) return 1;
    getcontext(&inside);
    inside.uc_stack.ss_sp = stack;
    inside.uc_stack.ss_size = size;
    inside.uc_link = &outside;
    makecontext(&inside, work, 0);
    swapcontext(&outside, &inside);
    report(std::move(values));
}
