// attack: none, an honest aggressive program: an array that grows by page faults: a SIGSEGV handler on a stack of its own opens more of it
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>

static char *room;
static const size_t most = 64 << 20, step = 1 << 20;
static size_t open_bytes;

static void grow(int, siginfo_t *info, void *) {
    char *at = (char *)info->si_addr;
    if (at < room + open_bytes || at >= room + most) _exit(3);  // a fault of another kind
    size_t wanted = (at - room) / step * step + step;
    if (mprotect(room + open_bytes, wanted - open_bytes, PROT_READ | PROT_WRITE) != 0) _exit(4);
    open_bytes = wanted;
}

int main() {
    static char stack[1 << 16];
    stack_t other{};
    other.ss_sp = stack;
    other.ss_size = sizeof stack;
    struct sigaction action{};
    action.sa_sigaction = grow;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    if (sigaltstack(&other, nullptr) != 0 || sigaction(SIGSEGV, &action, nullptr) != 0) return 1;
    room = (char *)mmap(nullptr, most, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == (char *)MAP_FAILED) return 1;
    int n = 0;
    if (std::scanf("%d", &n) != 1 || (size_t)n > most / 8) return 1;
    auto *values = (long long *)room;
    long long sum = 0;
    for (int i = 0; i < n; ++i) {
        long long v = 0;
        if (std::scanf("%lld", &v) != 1) return 1;
        sum += v;
        values[i] = v;
    }
    std::sort(values, values + n);
    long long largest = n ? values[n - 1] : 0;
    std::printf("%lld %lld %lld\n", sum, largest, (long long)(std::unique(values, values + n) - values));
}
