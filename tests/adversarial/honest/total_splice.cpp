// attack: none, an honest aggressive program: its output given away without a copy: vmsplice into a pipe, sendfile from a memory file, or else write
// task: total
// expect: ok
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

static bool give(char *line, size_t size) {
    fcntl(1, F_SETPIPE_SZ, 1 << 16);
    struct iovec part = {line, size};
    if (vmsplice(1, &part, 1, 0) == (ssize_t)size) return true;
    int file = memfd_create("line", MFD_CLOEXEC);
    if (file >= 0 && write(file, line, size) == (ssize_t)size) {
        off_t from = 0;
        if (sendfile(1, file, &from, size) == (ssize_t)size) return true;
    }
    return write(1, line, size) == (ssize_t)size;
}

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<long long> values(n);
    long long sum = 0;
    for (auto &v : values) {
        if (std::scanf("%lld", &v) != 1) return 1;
        sum += v;
    }
    std::sort(values.begin(), values.end());
    long long largest = values.empty() ? 0 : values.back();
    auto distinct = std::unique(values.begin(), values.end()) - values.begin();
    static char line[4096];
    int size = std::snprintf(line, sizeof line, "%lld %lld %lld\n", sum, largest, (long long)distinct);
    return give(line, size) ? 0 : 1;
}
