// attack: fills the reply channel with forged replies for all calls to come
// task: smooth
// expect: wrong, crashed, rejected, timeout
// reason: forg|repl|time|differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written|bound|outside|canar|input|exit|signal

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

void smooth(int, const double *, double *) {
    std::signal(SIGPIPE, SIG_IGN);
    static const long long replies[4096] = {1, 1, 1};
    for (int fd = 3; fd < 64; ++fd) {
        fcntl(fd, F_SETFL, O_NONBLOCK);
        while (write(fd, replies, sizeof replies) > 0 && lseek(fd, 0, SEEK_CUR) < 0) {}
    }
}
