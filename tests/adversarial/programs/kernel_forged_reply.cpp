// attack: replies to the harness on every descriptor and does not work
// task: smooth
// expect: wrong, crashed, rejected
// reason: forg|repl|differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written|bound|outside|canar|input|exit|signal

#include <csignal>
#include <unistd.h>

void smooth(int, const double *, double *) {
    std::signal(SIGPIPE, SIG_IGN);
    const long long reply = 1;
    for (int fd = 3; fd < 64; ++fd)
        if (write(fd, &reply, sizeof reply) < 0) continue;
}
