/* Preloaded into the programs of a repository's commands, to note how each of them ends: whether its main function
 * returned, it called exit, or it left in some other way. A line each, appended to /box/ends:
 *
 *     start PID HASH NAME      HASH: of the arguments, digits aside (seeds, numbers of descriptors)
 *     returned PID
 *     exit PID
 *
 * Children by fork are their parent's business, and note nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef int Main(int, char **, char **);
typedef int Start(Main *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static Main *program;
static pid_t self;
static int returned;

static void note(const char *text, int length) {
    int error = errno, file = open("/box/ends", O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file >= 0) {
        if (length > 0 && write(file, text, (size_t)length) < 0) length = 0;
        close(file);
    }
    errno = error;
}

static unsigned long hash_of(int count, char **words) {
    unsigned long hash = 14695981039346656037UL;
    for (int i = 0; i < count; i++)
        for (const char *at = words[i];; at++) {
            if (*at < '0' || *at > '9') hash = (hash ^ (unsigned char)*at) * 1099511628211UL;
            if (!*at) break;
        }
    return hash;
}

static int watched(int count, char **words, char **environment) {
    char line[128], path[4096] = "";
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) path[0] = 0;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : "?";
    self = getpid();
    note(line, snprintf(line, sizeof line, "start %d %lx %.60s\n", (int)self, hash_of(count, words), name));
    int code = program(count, words, environment);
    returned = 1;
    return code;
}

__attribute__((destructor)) static void end(void) {
    char line[64];
    if (self && getpid() == self)
        note(line, snprintf(line, sizeof line, "%s %d\n", returned ? "returned" : "exit", (int)self));
}

int __libc_start_main(Main *main, int count, char **words, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void *stack) {
    Start *start = (Start *)dlsym(RTLD_NEXT, "__libc_start_main");
    program = main;
    return start(watched, count, words, init, fini, loader_fini, stack);
}
