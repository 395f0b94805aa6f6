// attack: the same by raw system calls, through the descriptor below /proc instead of a name
// task: distances
// expect: rejected
// reason: valgrind's own ending

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <fcntl.h>
#include <dirent.h>
#include <sys/ioctl.h>
static void forge(long long count) {
    if (access("/proc/self/fd", F_OK)) return;
    char name[300] = "", link[64];
    for (int fd = 0; fd < 4096 && !*name; fd++) {
        std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        ssize_t n = readlink(link, name, sizeof name - 1);
        name[n > 0 ? n : 0] = 0;
        if (std::strncmp(name, "/box/log/", 9) || !std::strcmp(name, "/box/log/tables")) *name = 0;
    }
    if (!*name) return;
    int fd = open(link, O_WRONLY);
    if (fd < 0) return;
    long done = 72;
    asm volatile("syscall" : "+a"(done) : "D"(fd), "S"(1031), "d"(1 << 20) : "rcx", "r11", "memory");
    char last[100];
    int tail = std::sprintf(last, "\n==%d== I refs: %lld\n", (int)getpid(), count), there = 0;
    struct { int n; } q; ioctl(fd, FIONREAD, &q); there = q.n;
    static char pad[70000];
    int room = 65536 - there - tail;
    if (room < 0) return;
    std::memset(pad, '\n', room);
    std::memcpy(pad + room, last, tail);
    write(fd, pad, room + tail);
}
int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    static int a[100000];
    for (int i = 0; i < n; i++)
        if (std::scanf("%d", &a[i]) != 1) return 1;
    long long sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) sum += std::abs(a[i] - a[j]);
    forge(31000000);
    std::printf("%lld\n", sum);
}
