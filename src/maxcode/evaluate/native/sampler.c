/* Preloaded into a program to find out where its CPU time goes: a stack every millisecond of it (or as often as the
 * kernel can), written at its end to $MAXCODE_SAMPLES/PID as lines of OBJECT+ADDRESS, innermost first. Advice, never
 * part of a verdict. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

enum { MOST = 20000, DEPTH = 24, OWN = 2 };  /* OWN: this handler and the kernel's way into it */

static void *stacks[MOST][DEPTH];
static int depths[MOST];
static int count;

static void sample(int signal) {
    (void)signal;
    int i = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    if (i < MOST) depths[i] = backtrace(stacks[i], DEPTH);
}

static void every(long microseconds) {
    struct itimerval timer = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

__attribute__((constructor)) static void begin(void) {
    void *warm[2];
    backtrace(warm, 2);  /* loads what it needs, which it must not do inside a handler */
    struct sigaction action = {.sa_handler = sample, .sa_flags = SA_RESTART};
    sigaction(SIGPROF, &action, NULL);
    every(1000);
}

static void tell(FILE *file, void *address, int innermost) {
    Dl_info info;
    struct link_map *map = NULL;
    char *at = (char *)address - !innermost;  /* a return address is already past the call */
    if (dladdr1(at, &info, (void **)&map, RTLD_DL_LINKMAP) && map)
        fprintf(file, "%s+%lx ", info.dli_fname, (unsigned long)(at - (char *)map->l_addr));
}

__attribute__((destructor)) static void end(void) {
    const char *folder = getenv("MAXCODE_SAMPLES");
    char path[4096];
    every(0);
    if (!folder || count == 0) return;
    snprintf(path, sizeof path, "%s/%d", folder, (int)getpid());
    FILE *file = fopen(path, "w");
    if (!file) return;
    for (int i = 0; i < count && i < MOST; i++) {
        for (int frame = OWN; frame < depths[i]; frame++) tell(file, stacks[i][frame], frame == OWN);
        fputc('\n', file);
    }
    fclose(file);
}
