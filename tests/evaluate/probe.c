/* Tries one thing, named by its first argument, and prints what came of it. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static void copy_input(void) {
    char buffer[4096];
    size_t n;
    while ((n = fread(buffer, 1, sizeof buffer, stdin)) > 0) fwrite(buffer, 1, n, stdout);
}

static void open_descriptors(void) {
    for (int fd = 0; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0) printf("%d\n", fd);
}

static void touch_memory(size_t megabytes) {
    for (size_t i = 0; i < megabytes; i++) {
        char *p = malloc(1 << 20);
        if (!p) { puts("refused"); exit(3); }
        memset(p, 1, 1 << 20);
    }
    puts("got it");
}

static void write_file(const char *path, size_t megabytes) {
    static char block[1 << 20];
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0) { printf("cannot open: %s\n", strerror(errno)); return; }
    for (size_t i = 0; i < megabytes; i++)
        if (write(fd, block, sizeof block) != sizeof block) { printf("stopped after %zu MB\n", i); return; }
    puts("written");
}

static void connect_to(int port) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int done = fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
    printf("%s\n", done ? "connected" : "no connection");
}

/* A fifth of a second of work by a child whose end the parent ignores: the kernel adds its time to nobody's. */
static void work_in_ignored_child(void) {
    signal(SIGCHLD, SIG_IGN);
    if (fork() == 0) {
        while (clock() < CLOCKS_PER_SEC / 5) {}
        _exit(0);
    }
    wait(NULL);
}

static void leave_children(void) {
    for (int i = 0; i < 3; i++) {
        if (fork() == 0) {
            setsid();
            if (i == 1 && fork() > 0) _exit(0);  /* an orphan */
            for (;;) pause();
        }
    }
}

int main(int argc, char **argv) {
    static char block[4096];
    const char *what = argv[1], *given = argc > 2 ? argv[2] : "";
    setvbuf(stdout, NULL, _IONBF, 0);
    if (is(what, "copy")) copy_input();
    else if (is(what, "environment")) for (char **e = environ; *e; e++) puts(*e);
    else if (is(what, "descriptors")) open_descriptors();
    else if (is(what, "exit")) return atoi(given);
    else if (is(what, "signal")) raise(atoi(given));
    else if (is(what, "crash")) *(volatile int *)0 = 1;
    else if (is(what, "memory")) touch_memory(atoi(given));
    else if (is(what, "flood")) for (;;) fwrite(block, 1, sizeof block, stdout);
    else if (is(what, "spin")) for (;;) {}
    else if (is(what, "sleep")) for (;;) pause();
    else if (is(what, "read")) { int fd = open(given, O_RDONLY); puts(fd >= 0 ? "opened" : "not there"); }
    else if (is(what, "write")) write_file(given, argc > 3 ? atoi(argv[3]) : 1);
    else if (is(what, "scratch")) {
        char path[4096];
        snprintf(path, sizeof path, "%s/mark", getenv("TMPDIR"));
        puts(access(path, F_OK) == 0 ? "seen before" : "new");
        write_file(path, 1);
    }
    else if (is(what, "connect")) connect_to(atoi(given));
    else if (is(what, "children")) { leave_children(); puts("left"); }
    else if (is(what, "children and sleep")) { leave_children(); for (;;) pause(); }
    else if (is(what, "ignored child")) work_in_ignored_child();
    else if (is(what, "fork")) puts(fork() >= 0 ? "forked" : "refused");
    else if (is(what, "processes")) printf("%d\n", kill(atoi(given), 0) == 0);
    else return 99;
    return 0;
}
