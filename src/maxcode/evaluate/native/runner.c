/* The one trusted process that shares a sandbox with a candidate.
 *
 *   runner enter [join=FILE]... [cpus=0,1] -- COMMAND...
 *       outside the sandbox: join control groups, pin to CPUs, become COMMAND (usually bubblewrap).
 *   runner watch control=FD wall_ms=N [option=value]... -- PROGRAM...
 *       inside, usually as pid 1: start PROGRAM under limits and a system-call filter, hold the clock,
 *       and report over the control descriptor, which PROGRAM never has.
 *
 * The control descriptor is a stream of lines. The runner says `ready`; a `go` starts the program; it ends with
 * `end {...}`. With serve=1 the program is a kernel driver that answers `run FIRST COUNT` commands (see driver.py of
 * kinds/kernel): between commands it is stopped, so nothing it left running can finish its work after it has said it was
 * done. With serve=2 it does so under a tool that sets signal handlers and timers for itself (a sanitizer, valgrind).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

#define PRIVATE_FD_BASE 100
#define MOST_NUMBERS 64
#define STOPPING_NS 2000000000LL
enum { DRIVER_COMMANDS = 3, DRIVER_REPLIES = 4, DRIVER_SHARED = 5 };

struct options {
    int control, shared, serve, processes, uid, filter, alone;
    long wall_ms, cpu_s, address_space, file_size, stack, tasks;
    const char *read_paths[32], *write_paths[8];
    int read_count, write_count;
};

struct watch {
    struct options o;
    pid_t child;
    int pidfd, listener, to_driver, from_driver, socket;
    int execs_allowed;  /* the first exec is ours */
    int numbers_left;   /* new objects with numbers of the machine's that the program may still make */
    long forbidden;     /* system call the program was ended for, or -1 */
    int timed_out, status;
    int64_t started, ended;
};

static void fail(const char *what) {
    fprintf(stderr, "runner: %s: %s\n", what, strerror(errno));
    _exit(125);
}

static int64_t now_ns(clockid_t clock) {
    struct timespec t;
    if (clock_gettime(clock, &t) != 0) return -1;
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* ---- enter ------------------------------------------------------------------------------------------------- */

static void join_group(const char *file) {
    int fd = open(file, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, "0", 1) != 1) fail(file);
    close(fd);
}

static void pin(const char *list) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const char *p = list; *p; p = strchr(p, ',') ? strchr(p, ',') + 1 : p + strlen(p)) CPU_SET(atoi(p), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) fail("sched_setaffinity");
}

static int enter(char **args) {
    for (; *args && strcmp(*args, "--") != 0; args++) {
        if (strncmp(*args, "join=", 5) == 0) join_group(*args + 5);
        else if (strncmp(*args, "cpus=", 5) == 0) pin(*args + 5);
        else { fprintf(stderr, "runner: unknown option %s\n", *args); return 125; }
    }
    if (!*args || !args[1]) return 125;
    execvp(args[1], args + 1);
    fail(args[1]);
    return 125;
}

/* ---- the system-call filter -------------------------------------------------------------------------------- */

#include "filter.h"

/* Returns the listener through which forbidden calls are seen, or -1 where the kernel can only kill for them. */
static int install_filter(int processes, int alone, int serving) {
    struct program p;
    make_filter(&p, processes, alone, serving, SECCOMP_RET_USER_NOTIF);
    struct sock_fprog prog = {.len = p.length, .filter = p.code};
    int fd = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &prog);
    if (fd >= 0) return fd;
    make_filter(&p, processes ? processes : 1, alone, serving, SECCOMP_RET_KILL_PROCESS);  /* without a listener our own exec could not be told from another */
    prog.len = p.length;
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) != 0) fail("seccomp");
    return -1;
}

/* ---- file access where there are no mount namespaces ------------------------------------------------------- */

#ifdef LANDLOCK_ACCESS_FS_EXECUTE
static void allow_below(int ruleset, const char *path, uint64_t access) {
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return;
    struct stat info;
    if (fstat(fd, &info) != 0) fail(path);
    if (!S_ISDIR(info.st_mode))
        access &= LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | 1 << 14;
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
    if (syscall(__NR_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) fail("landlock_add_rule");
    close(fd);
}

static void restrict_files(const struct options *o) {
    const uint64_t truncate = syscall(__NR_landlock_create_ruleset, NULL, 0, 1 /* the version */) >= 3 ? 1 << 14 : 0;
    const uint64_t all = ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1) | truncate;
    const uint64_t read = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    struct landlock_ruleset_attr attr = {.handled_access_fs = all};
    int ruleset = syscall(__NR_landlock_create_ruleset, &attr, sizeof attr, 0);
    if (ruleset < 0) fail("landlock_create_ruleset");
    for (int i = 0; i < o->read_count; i++) allow_below(ruleset, o->read_paths[i], read);
    for (int i = 0; i < o->write_count; i++) allow_below(ruleset, o->write_paths[i], all);
    if (syscall(__NR_landlock_restrict_self, ruleset, 0) != 0) fail("landlock_restrict_self");
    close(ruleset);
}
#else
static void restrict_files(const struct options *o) { (void)o; errno = ENOSYS; fail("landlock"); }
#endif

/* ---- the program's side of the fork ------------------------------------------------------------------------ */

static void limit(int resource, long value) {
    if (value < 0) return;
    struct rlimit r = {.rlim_cur = value, .rlim_max = value};
    if (setrlimit(resource, &r) != 0) fail("setrlimit");
}

static void send_descriptor(int socket, int fd) {
    char byte = 0, space[CMSG_SPACE(sizeof fd)] = {0};
    struct iovec iov = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &iov, .msg_iovlen = 1};
    if (fd >= 0) {
        message.msg_control = space;
        message.msg_controllen = sizeof space;
        struct cmsghdr *c = CMSG_FIRSTHDR(&message);
        c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(sizeof fd);
        memcpy(CMSG_DATA(c), &fd, sizeof fd);
    }
    if (sendmsg(socket, &message, 0) != 1) fail("sendmsg");
}

static int receive_descriptor(int socket) {
    char byte, space[CMSG_SPACE(sizeof(int))];
    struct iovec iov = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1) fail("the program's process ended before it started");
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    int fd = -1;
    if (c) memcpy(&fd, CMSG_DATA(c), sizeof fd);
    return fd;
}

/* New pipes and memory files are numbered in turn over the whole machine. A random number of them before each program
 * keeps it from reading what an earlier one counted them up to. */
static void blur_numbers(void) {
    unsigned char random[2] = {0};
    if (syscall(__NR_getrandom, random, sizeof random, 0) != sizeof random) fail("getrandom");
    for (int i = random[0] % (2 * MOST_NUMBERS); i > 0; i--) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return;
        close(ends[0]), close(ends[1]);
    }
    for (int i = random[1] % (2 * MOST_NUMBERS); i > 0; i--) close(syscall(__NR_memfd_create, "", 1));
}

static void become(const struct options *o, int socket, int commands, int replies, char **argv) {
    setsid();
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, o->cpu_s);
    limit(RLIMIT_AS, o->address_space);
    limit(RLIMIT_FSIZE, o->file_size);
    limit(RLIMIT_STACK, o->stack);
    limit(RLIMIT_NPROC, o->tasks);
    if (o->uid >= 0 && (setgroups(0, NULL) || setresgid(o->uid, o->uid, o->uid) || setresuid(o->uid, o->uid, o->uid)))
        fail("setuid");
    prctl(PR_SET_PDEATHSIG, SIGKILL);  /* a change of user clears it */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("no_new_privs");
    if (o->read_count) restrict_files(o);
    if (o->serve) {
        dup2(commands, DRIVER_COMMANDS), dup2(replies, DRIVER_REPLIES), dup2(o->shared, DRIVER_SHARED);
    }
    for (int s = 1; s < NSIG; s++) signal(s, SIG_DFL);
    send_descriptor(socket, o->filter ? install_filter(o->processes, o->alone, o->serve == 1) : -1);
    char go;
    if (read(socket, &go, 1) != 1) _exit(125);
    const unsigned close_on_exec = 4;
    syscall(__NR_close_range, o->serve ? DRIVER_SHARED + 1 : 3, ~0U, close_on_exec);
    execv(argv[0], argv);
    if (write(socket, "x", 1) != 1) _exit(125);  /* never started: the watcher reads this after the end */
    fail(argv[0]);
}

/* ---- the watching side ------------------------------------------------------------------------------------- */

static void forbid(struct watch *w, long number) {
    if (w->forbidden < 0) w->forbidden = number;
    kill(w->child, SIGKILL);
}

static int is_counted(int number) {
    for (size_t i = 0; i < sizeof counted_calls / sizeof *counted_calls; i++)
        if (counted_calls[i] == number) return 1;
    return number == __NR_mmap;
}

static void answer_listener(struct watch *w) {
    struct seccomp_notif request = {0};
    if (ioctl(w->listener, SECCOMP_IOCTL_NOTIF_RECV, &request) != 0) return;
    int is_exec = request.data.nr == __NR_execve || request.data.nr == __NR_execveat;
    struct seccomp_notif_resp response = {.id = request.id, .error = -EPERM};
    int *left = is_exec ? &w->execs_allowed : &w->numbers_left;
    int counted = is_counted(request.data.nr);
    if ((is_exec || counted) && *left > 0) {
        --*left;
        response.error = 0;
        response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    } else if (counted) {
        response.error = -EMFILE;
    } else {
        forbid(w, request.data.nr);
    }
    ioctl(w->listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

/* Waits for the program's end or, with fd >= 0, for data on fd. 1: data, 0: ended or past the deadline. */
static int attend(struct watch *w, int fd, int64_t deadline) {
    for (;;) {
        struct pollfd p[3] = {{.fd = w->pidfd, .events = POLLIN}, {.fd = w->listener, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
        int64_t left = deadline - now_ns(CLOCK_MONOTONIC);
        if (left <= 0) { w->timed_out = 1; return 0; }
        int n = poll(p, 3, (int)(left / 1000000) + 1);
        if (n < 0 && errno != EINTR) fail("poll");
        if (n <= 0) continue;
        if (fd >= 0 && (p[2].revents & POLLIN)) return 1;
        if (p[1].revents & POLLIN) answer_listener(w);
        else if (p[1].revents) w->listener = -1;
        if (p[0].revents || w->forbidden >= 0) return 0;
    }
}

/* Orphans of the program become children of this process (a subreaper), so this finds all of them. */
static void kill_children(void) {
    FILE *list = fopen("/proc/thread-self/children", "re");
    long pid;
    while (list && fscanf(list, "%ld", &pid) == 1) kill((pid_t)pid, SIGKILL);
    if (list) fclose(list);
}

/* Ends everything the program started. As pid 1 of the sandbox that is everybody else. */
static void end_all(struct watch *w, struct rusage *usage) {
    if (w->timed_out || w->forbidden >= 0) kill(w->child, SIGKILL);
    while (waitpid(w->child, &w->status, 0) < 0 && errno == EINTR) {}
    w->ended = now_ns(CLOCK_MONOTONIC);
    do {
        if (getpid() == 1) kill(-1, SIGKILL);
        else kill_children();
    } while (wait(NULL) > 0 || errno == EINTR);
    getrusage(RUSAGE_CHILDREN, usage);
}

static int64_t micros(struct timeval t) { return t.tv_sec * 1000000LL + t.tv_usec; }

static void report_end(struct watch *w) {
    struct rusage u;
    end_all(w, &u);
    int64_t wall = w->ended - w->started;
    char byte;
    int started = read(w->socket, &byte, 1) != 1;
    dprintf(w->o.control,
            "end {\"started\": %s, \"exit\": %d, \"signal\": %d, \"timed_out\": %s, \"forbidden\": %ld, \"cpu_us\": %lld, \"user_us\": %lld, "
            "\"wall_us\": %lld, \"rss_kb\": %ld, \"minor_faults\": %ld, \"major_faults\": %ld, \"waits\": %ld, \"switches\": %ld}\n",
            started ? "true" : "false", WIFEXITED(w->status) ? WEXITSTATUS(w->status) : -1, WIFSIGNALED(w->status) ? WTERMSIG(w->status) : 0,
            w->timed_out ? "true" : "false", w->forbidden, (long long)(micros(u.ru_utime) + micros(u.ru_stime)),
            (long long)micros(u.ru_utime), (long long)(wall / 1000), u.ru_maxrss, u.ru_minflt, u.ru_majflt, u.ru_nvcsw, u.ru_nivcsw);
}

static int read_line(int fd, char *line, size_t size) {
    size_t n = 0;
    while (n + 1 < size) {
        ssize_t got = read(fd, line + n, 1);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return 0;
        if (line[n] == '\n') break;
        n++;
    }
    line[n] = 0;
    return 1;
}

/* ---- serving kernel calls ---------------------------------------------------------------------------------- */

/* Stops the program; 0: it has ended, or does not stand still. A SIGCONT of its own may cancel our signal unseen. */
static int halt(struct watch *w) {
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    const struct timespec a_while = {.tv_nsec = 2000000};
    for (int64_t deadline = now_ns(CLOCK_MONOTONIC) + STOPPING_NS; now_ns(CLOCK_MONOTONIC) < deadline;) {
        siginfo_t info = {0};
        kill(w->child, SIGSTOP);
        do {
            if (waitid(P_PID, w->child, &info, WSTOPPED | WEXITED | WNOWAIT | WNOHANG) != 0) return 0;
        } while (info.si_pid == 0 && sigtimedwait(&children, NULL, &a_while) == SIGCHLD);
        if (info.si_pid == 0) continue;
        if (info.si_code != CLD_STOPPED) return 0;
        waitid(P_PID, w->child, &info, WSTOPPED);
        return 1;
    }
    dprintf(w->o.control, "woken\n");
    kill(w->child, SIGKILL);
    return 0;
}

/* Whether it was told to go on since it was stopped, by a timer of its own for one: nobody else does that. */
static int was_woken(struct watch *w) {
    siginfo_t info = {0};
    return waitid(P_PID, w->child, &info, WSTOPPED | WCONTINUED | WNOHANG) == 0 && info.si_pid != 0;
}

static int replies_pending(struct watch *w) {
    struct pollfd p = {.fd = w->from_driver, .events = POLLIN};
    return poll(&p, 1, 0) > 0 && (p.revents & POLLIN);
}

/* One command. The reply is only a hint that the work is done: the outputs decide, and they are read while the
 * process is stopped. A reply that came before it was asked for is a forgery. */
static int serve_one(struct watch *w, const int32_t command[2]) {
    int64_t inner = 0;
    if (was_woken(w)) { dprintf(w->o.control, "woken\n"); return 0; }
    if (replies_pending(w)) { dprintf(w->o.control, "forged\n"); return 0; }
    clockid_t clock;
    if (clock_getcpuclockid(w->child, &clock) != 0) return 0;
    int64_t cpu = now_ns(clock), wall = now_ns(CLOCK_MONOTONIC);
    kill(w->child, SIGCONT);
    if (write(w->to_driver, command, 2 * sizeof *command) < 0) return 0;
    if (!attend(w, w->from_driver, wall + w->o.wall_ms * 1000000LL)) return 0;
    wall = now_ns(CLOCK_MONOTONIC) - wall;
    int64_t replied = now_ns(clock);
    if (!halt(w)) return 0;
    int64_t stood = now_ns(clock);  /* what threads of its own have computed until they stood still counts, by both clocks */
    wall += stood - replied;
    cpu = stood - cpu;
    if (read(w->from_driver, &inner, sizeof inner) != sizeof inner) { dprintf(w->o.control, "forged\n"); return 0; }
    dprintf(w->o.control, "done %lld %lld %lld\n", (long long)cpu, (long long)wall, (long long)inner);
    return 1;
}

static void serve(struct watch *w) {
    char line[128];
    int64_t inner;
    if (!attend(w, w->from_driver, w->started + w->o.wall_ms * 1000000LL)) return;
    if (read(w->from_driver, &inner, sizeof inner) != sizeof inner) return;
    int64_t wall = now_ns(CLOCK_MONOTONIC) - w->started;
    if (!halt(w)) return;
    clockid_t clock;
    if (clock_getcpuclockid(w->child, &clock) != 0) return;
    dprintf(w->o.control, "serving %lld %lld\n", (long long)now_ns(clock), (long long)wall);
    while (read_line(w->o.control, line, sizeof line)) {
        int32_t command[2];
        if (strcmp(line, "finish") == 0) {  /* let it end by itself, as a profiler needs */
            close(w->to_driver);
            kill(w->child, SIGCONT);
            attend(w, -1, now_ns(CLOCK_MONOTONIC) + w->o.wall_ms * 1000000LL);
            return;
        }
        if (sscanf(line, "run %d %d", &command[0], &command[1]) != 2) break;
        if (!serve_one(w, command)) return;
    }
    kill(w->child, SIGKILL);
}

/* ---- watch ------------------------------------------------------------------------------------------------- */

static int parse_option(struct options *o, const char *arg) {
    const char *value = strchr(arg, '=');
    if (!value) return 0;
    value++;
    struct { const char *name; int *field; } ints[] = {
        {"control=", &o->control}, {"shared=", &o->shared}, {"serve=", &o->serve},
        {"processes=", &o->processes}, {"uid=", &o->uid}, {"filter=", &o->filter}, {"alone=", &o->alone}};
    struct { const char *name; long *field; } longs[] = {
        {"wall_ms=", &o->wall_ms}, {"cpu_s=", &o->cpu_s}, {"address_space=", &o->address_space},
        {"file_size=", &o->file_size}, {"stack=", &o->stack}, {"tasks=", &o->tasks}};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        if (strncmp(arg, ints[i].name, strlen(ints[i].name)) == 0) return *ints[i].field = atoi(value), 1;
    for (size_t i = 0; i < sizeof longs / sizeof *longs; i++)
        if (strncmp(arg, longs[i].name, strlen(longs[i].name)) == 0) return *longs[i].field = atol(value), 1;
    if (strncmp(arg, "read=", 5) == 0 && o->read_count < 32) return o->read_paths[o->read_count++] = value, 1;
    if (strncmp(arg, "write=", 6) == 0 && o->write_count < 8) return o->write_paths[o->write_count++] = value, 1;
    return 0;
}

static int make_private(int fd) {
    if (fd < 0) return fd;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, PRIVATE_FD_BASE);
    if (high < 0) fail("descriptor");
    close(fd);
    return high;
}

static void private_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
    ends[0] = make_private(ends[0]), ends[1] = make_private(ends[1]);
}

static int watch(char **args) {
    struct watch w = {.o = {.control = -1, .shared = -1, .uid = -1, .filter = 1, .alone = 1, .wall_ms = 10000, .cpu_s = -1,
                            .address_space = -1, .file_size = -1, .stack = -1, .tasks = -1},
                      .listener = -1, .forbidden = -1, .execs_allowed = 1, .numbers_left = MOST_NUMBERS};
    for (; *args && strcmp(*args, "--") != 0; args++)
        if (!parse_option(&w.o, *args)) { fprintf(stderr, "runner: unknown option %s\n", *args); return 125; }
    if (!*args || !args[1] || w.o.control < 0) { fprintf(stderr, "runner: nothing to run\n"); return 125; }

    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_DUMPABLE, 0);         /* closes /proc/PID/fd of this process to a program of the same user */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    w.o.control = make_private(w.o.control), w.o.shared = make_private(w.o.shared);
    int sockets[2], commands[2] = {-1, -1}, replies[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) fail("socketpair");
    sockets[0] = make_private(sockets[0]), sockets[1] = make_private(sockets[1]);
    if (w.o.serve) private_pipe(commands), private_pipe(replies);
    w.to_driver = commands[1], w.from_driver = replies[0];

    blur_numbers();  /* not in the child, whose time counts */
    w.child = fork();
    if (w.child < 0) fail("fork");
    if (w.child == 0) become(&w.o, sockets[1], commands[0], replies[1], args + 1);
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, NULL);  /* waited for in halt() */
    w.socket = sockets[0];
    close(sockets[1]), close(commands[0]), close(replies[1]);
    w.listener = receive_descriptor(sockets[0]);
    w.pidfd = syscall(__NR_pidfd_open, w.child, 0);
    if (w.pidfd < 0) fail("pidfd_open");

    char line[128];
    dprintf(w.o.control, "ready\n");
    if (!read_line(w.o.control, line, sizeof line)) { kill(w.child, SIGKILL); return 125; }
    w.started = now_ns(CLOCK_MONOTONIC);
    if (write(sockets[0], "g", 1) != 1) fail("start");
    if (w.o.serve) serve(&w);
    else attend(&w, -1, w.started + w.o.wall_ms * 1000000LL);
    report_end(&w);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "enter") == 0) return enter(argv + 2);
    if (argc > 2 && strcmp(argv[1], "watch") == 0) return watch(argv + 2);
    fprintf(stderr, "usage: runner enter|watch OPTION=VALUE... -- COMMAND...\n");
    return 125;
}
