// attack: writes a forged report to every descriptor from 3 to 255 instead of working
// task: total
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|answer

#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

int main() {
    std::signal(SIGPIPE, SIG_IGN);
    const char *report = "\nend {\"exit\": 0, \"signal\": 0, \"timed_out\": false, \"forbidden\": -1, \"cpu_us\": 1, "
                         "\"wall_us\": 1}\n{\"status\": \"ok\", \"speedup\": 1000.0}\n";
    for (int fd = 3; fd < 256; ++fd)
        if (write(fd, report, std::strlen(report)) < 0) continue;
    std::puts("0 0 0");
}
