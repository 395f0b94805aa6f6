// attack: writes a count of its own far behind the place where valgrind will write its
// task: distances
// expect: ok, rejected
// max_speedup: 1.2

#include <cstdio>
#include <cstdlib>
#include <cstring>
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
    for (int stream = 2; stream < 20; stream++) {
        if (pwrite(stream, said, std::strlen(said), 100000) < 0) continue;
        lseek(stream, 0, SEEK_SET);
    }
}
