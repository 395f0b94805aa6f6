// attack: writes a count of its own, and then makes its limit of a file's size so small that valgrind can write no other
// task: distances
// expect: rejected
// reason: valgrind's own ending

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <unistd.h>

static int a[100000];
static int count;

static long long distances() {
    long long sum = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) sum += std::abs(a[i] - a[j]);
    return sum;
}

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; i++)
        if (std::scanf("%d", &a[i]) != 1) return 1;
    count = n;
    std::printf("%lld\n", distances());
    std::fflush(stdout);
    const char *said = "==1== I   refs:      1,000\n";
    for (int stream = 2; stream < 20; stream++)
        if (write(stream, said, std::strlen(said)) < 0) continue;
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit none{0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
}
