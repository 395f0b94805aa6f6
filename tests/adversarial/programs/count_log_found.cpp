// attack: finds the file that valgrind writes to below /proc and adds a count of its own
// task: distances
// expect: rejected
// reason: valgrind's own ending

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
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
    DIR *folder = opendir("/proc/self/fd");
    for (dirent *entry; folder && (entry = readdir(folder));) {
        if (std::atoi(entry->d_name) < 2) continue;
        char path[300];
        std::snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        char target[300] = "";
        if (readlink(path, target, sizeof target - 1) < 0 || (!std::strstr(target, "err") && !std::strstr(target, "log"))) continue;
        int stream = open(path, O_WRONLY | O_NONBLOCK);
        if (stream < 0) continue;
        if (pwrite(stream, said, std::strlen(said), 100000) < 0 && write(stream, said, std::strlen(said)) < 0) continue;
        lseek(stream, 0, SEEK_SET);
    }
    lseek(2, 0, SEEK_SET);
}
