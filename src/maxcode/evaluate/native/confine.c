/* For processes that are forked, not started: they give up system calls by themselves before foreign code runs in them.
 * Everything forbidden is refused quietly, since torch and CUDA try some of it and go on without. */
#define _GNU_SOURCE
#include <sys/prctl.h>

#include "filter.h"

int refuse_calls(int alone) {
    struct program p;
    make_filter(&p, 3, alone, 0, SECCOMP_RET_ERRNO | EPERM);
    struct sock_fprog prog = {.len = p.length, .filter = p.code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) == 0 ? 0 : errno;
}
