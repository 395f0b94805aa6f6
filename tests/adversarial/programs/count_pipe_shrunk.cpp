// attack: makes the pipe of valgrind's log as small as it can be and itself its writer that never waits, so that only its own count fits
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
    int fd = -1;
    for (int own = 3; own < 4096 && fd < 0; own++) {  // valgrind's own end, whose flags are valgrind's too
        char target[300] = "";
        std::snprintf(link, sizeof link, "/proc/self/fd/%d", own);
        if (readlink(link, target, sizeof target - 1) > 0 && !std::strcmp(target, name)) fd = dup(own);
    }
    if (fd < 0) fd = open(name, O_WRONLY);
    if (fd < 0) return;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    fcntl(fd, 1031 /* F_SETPIPE_SZ */, 4096);
    char last[100];
    int tail = std::sprintf(last, "\n==%d== I refs: %lld\n", (int)getpid(), count), there = 0;
    struct { int n; } q; ioctl(fd, FIONREAD, &q); there = q.n;
    static char pad[70000];
    int room = 4096 - there - tail;
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
