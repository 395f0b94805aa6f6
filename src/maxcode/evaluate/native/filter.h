/* Which system calls a candidate may not make, and which have no effect; for the runner and for processes that confine
 * themselves. */
#pragma once
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCH AUDIT_ARCH_AARCH64
#else
#error "filter.h: add the audit architecture of this machine"
#endif

/* Ends the run and is named in the verdict. */
static const int forbidden_calls[] = {
    __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_kcmp, __NR_pidfd_getfd,
    __NR_socket, __NR_socketpair, __NR_connect, __NR_bind, __NR_listen, __NR_accept, __NR_accept4,
    __NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot, __NR_setns, __NR_unshare,
    __NR_open_tree, __NR_move_mount, __NR_fsopen, __NR_fsconfig, __NR_fsmount, __NR_fspick,
    __NR_bpf, __NR_perf_event_open, __NR_userfaultfd, __NR_keyctl, __NR_add_key, __NR_request_key,
    __NR_io_uring_setup, __NR_io_uring_enter, __NR_io_uring_register, __NR_seccomp,
    __NR_init_module, __NR_finit_module, __NR_delete_module, __NR_kexec_load, __NR_reboot,
    __NR_swapon, __NR_swapoff, __NR_acct, __NR_quotactl, __NR_open_by_handle_at, __NR_name_to_handle_at,
    __NR_sethostname, __NR_setdomainname, __NR_settimeofday, __NR_clock_settime, __NR_adjtimex, __NR_clock_adjtime,
};
/* Forbidden too unless the task allows processes. clone is judged by its flags. */
static const int process_calls[] = {
    __NR_execve, __NR_execveat,
#ifdef __NR_fork
    __NR_fork, __NR_vfork,
#endif
};
/* Refused quietly: honest runtimes try some of these. */
static const int refused_calls[] = {
    __NR_sched_setaffinity, __NR_sched_setscheduler, __NR_sched_setattr, __NR_sched_setparam,
    __NR_setpriority, __NR_ioprio_set, __NR_personality,
};

/* Numbers that the headers of this machine may not have yet; the same on all architectures. */
enum {
    NR_PROCESS_MADVISE = 440, NR_MOUNT_SETATTR = 442, NR_MEMFD_SECRET = 447, NR_PROCESS_MRELEASE = 448, NR_CACHESTAT = 451,
    NR_SET_MEMPOLICY_HOME_NODE = 450, NR_FCHMODAT2 = 452, NR_STATMOUNT = 457, NR_LISTMOUNT = 458, NR_SETXATTRAT = 463, NR_REMOVEXATTRAT = 466,
    NR_FILE_SETATTR = 469,
};

/* Memory across runs: what is cached of a file is state that outlives a program. Advice about it is taken and not
 * heeded; whoever gives it goes on as before. */
static const int ignored_calls[] = {__NR_fadvise64, __NR_readahead, __NR_sync_file_range, __NR_sync, __NR_syncfs};
/* Asks what is cached; drops it; or does one of both where the filter cannot see the flags. Old kernels have none of it,
 * so that programs can do without. */
static const int absent_calls[] = {
    __NR_mincore, NR_CACHESTAT, __NR_io_setup, __NR_remap_file_pages, NR_PROCESS_MADVISE, NR_PROCESS_MRELEASE,
    NR_MEMFD_SECRET, NR_STATMOUNT, NR_LISTMOUNT, NR_MOUNT_SETATTR, __NR_fanotify_init,
};

/* Which node of memory to take pages from is noted with a file in memory, page by page, by whoever has mapped it, to read
 * only or not; and where a page lies can be asked. Kernels without NUMA have none of it. */
static const int placing_calls[] = {
    __NR_mbind, __NR_get_mempolicy, __NR_set_mempolicy, __NR_migrate_pages, __NR_move_pages, NR_SET_MEMPOLICY_HOME_NODE,
};

/* Refused to programs, which have no files but their own scratch: changes to whose a file is and what is noted about it
 * need no right to open it, so that neither a read-only descriptor nor Landlock stands in the way. Compilers make some. */
static const int refused_to_programs[] = {
    __NR_fchmod, __NR_fchmodat, NR_FCHMODAT2, __NR_fchown, __NR_fchownat, __NR_truncate, __NR_utimensat,
    __NR_setxattr, __NR_lsetxattr, __NR_fsetxattr, NR_SETXATTRAT, __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr,
    NR_REMOVEXATTRAT, NR_FILE_SETATTR, __NR_inotify_init1, __NR_pidfd_open,
#ifdef __NR_chmod
    __NR_chmod, __NR_chown, __NR_lchown, __NR_utime, __NR_utimes, __NR_futimesat, __NR_inotify_init,
#endif
};
/* Makes something that gets the next number of the whole machine, which fstat tells: let pass so many times a run. Shared
 * memory without a file is such a call of mmap. */
static const int counted_calls[] = {
    __NR_memfd_create, __NR_pipe2, __NR_shmget, __NR_mq_open,
#ifdef __NR_pipe
    __NR_pipe,
#endif
};
/* Objects with names that outlive a program where it has no IPC namespace of its own. */
static const int named_object_calls[] = {__NR_shmget, __NR_msgget, __NR_semget, __NR_mq_open};

/* With processes=2, for a repository's own commands: looking up a user's name tries a socket, event loops try the rest.
 * They go on without; the way out is closed by the network namespace. */
static const int refused_to_commands[] = {__NR_socket, __NR_connect, __NR_bind, __NR_listen, __NR_io_uring_setup};

struct program { struct sock_filter code[512]; unsigned short length; };

static void emit(struct program *p, struct sock_filter instruction) { p->code[p->length++] = instruction; }

static void on_call(struct program *p, int number, uint32_t action) {
    emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
    emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

static void load(struct program *p, size_t offset) {
    emit(p, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

static void filter_clone(struct program *p, int processes, uint32_t forbid) {
    const uint32_t namespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, processes ? 4 : 6));
    load(p, offsetof(struct seccomp_data, args[0]));
    emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, namespaces, 0, 1));
    emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, forbid));
    if (!processes) {
        emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
        emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, forbid));
    }
    emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}

/* A signal may be sent to oneself only (abort, raise). */
static void filter_signals(struct program *p, pid_t self, uint32_t forbid) {
    const int calls[] = {__NR_kill, __NR_tgkill, __NR_tkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i], 0, 4));
        load(p, offsetof(struct seccomp_data, args[0]));
        emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, self, 0, 1));
        emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
        emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, forbid));
    }
    on_call(p, __NR_pidfd_send_signal, forbid);
}

/* A kernel's process is stopped and woken by its runner alone. */
static void filter_waking(struct program *p, uint32_t forbid) {
    const int calls[] = {
        __NR_timer_create, __NR_setitimer, __NR_mq_notify,
#ifdef __NR_alarm
        __NR_alarm,
#endif
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) on_call(p, calls[i], forbid);
    emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_rt_sigaction, 0, 6));
    load(p, offsetof(struct seccomp_data, args[0]));
    emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SIGCONT, 0, 3));
    load(p, offsetof(struct seccomp_data, args[1]));  /* low half of the address of the new handler; 0 only asks */
    emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
    emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, forbid));
    emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}

/* With processes=3, for processes that use a GPU: its driver opens local sockets and waits on them, for other processes
 * to ask it for memory. In a network namespace of one's own nobody can. */
static void allow_local_sockets(struct program *p) {
    const int calls[] = {__NR_bind, __NR_listen, __NR_accept, __NR_accept4};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) on_call(p, calls[i], SECCOMP_RET_ALLOW);
    emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 4));
    load(p, offsetof(struct seccomp_data, args[0]));
    emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 1));
    emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
}

static void on_calls(struct program *p, const int *calls, size_t count, uint32_t action) {
    for (size_t i = 0; i < count; i++) on_call(p, calls[i], action);
}
#define ON_CALLS(p, calls, action) on_calls(p, calls, sizeof calls / sizeof *calls, action)

/* A call with one of these values in the lower half of an argument, where the kernel looks for it. */
static void on_values(struct program *p, int number, int argument, const uint32_t *values, int count, uint32_t action) {
    emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 2 * count + 2));
    load(p, offsetof(struct seccomp_data, args) + 8 * argument);
    for (int i = 0; i < count; i++) {
        emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, values[i], 0, 1));
        emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
    }
    emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}

/* The same for one value, without a word about the others. */
static void on_value(struct program *p, int number, int argument, uint32_t value, uint32_t action) {
    emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4));
    load(p, offsetof(struct seccomp_data, args) + 8 * argument);
    emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
    load(p, offsetof(struct seccomp_data, nr));
}

/* Reads and writes that tell whether data is cached (RWF_NOWAIT) or drop it (RWF_DONTCACHE), and flags yet to come. */
static void filter_read_flags(struct program *p) {
    const uint32_t harmless = 0x01 | 0x02 | 0x04 | 0x10;  /* RWF_HIPRI, DSYNC, SYNC, APPEND */
    const int calls[] = {__NR_preadv2, __NR_pwritev2};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i], 0, 4));
        load(p, offsetof(struct seccomp_data, args[5]));
        emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, ~harmless, 0, 1));
        emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP));
        emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
}

static void filter_memory_across_runs(struct program *p, int processes) {
    const uint32_t advice[] = {12 /* MERGEABLE */, 20 /* COLD */, 21 /* PAGEOUT */};
    const uint32_t notes[] = {1024 /* F_SETLEASE */, 1026 /* F_NOTIFY */, 1036 /* F_SET_RW_HINT */, 1038 /* F_SET_FILE_RW_HINT */, 1031 /* F_SETPIPE_SZ */};
    const uint32_t flags[] = {0x40086602 /* FS_IOC_SETFLAGS */, 0x401c5820 /* FS_IOC_FSSETXATTR */, 0x40087602 /* SETVERSION */};
    ON_CALLS(p, ignored_calls, SECCOMP_RET_ERRNO | 0);
    ON_CALLS(p, absent_calls, SECCOMP_RET_ERRNO | ENOSYS);
    if (processes != 3) ON_CALLS(p, placing_calls, SECCOMP_RET_ERRNO | ENOSYS);  /* CUDA shares no memory without them */
    filter_read_flags(p);
    /* MADV_COLLAPSE makes huge pages of a file in memory, where they stay. Kernels before 6.1 do not know it. */
    on_value(p, __NR_madvise, 2, 25, SECCOMP_RET_ERRNO | EINVAL);
    on_values(p, __NR_madvise, 2, advice, 3, SECCOMP_RET_ERRNO | 0);
    on_values(p, __NR_fcntl, 1, notes, 5, SECCOMP_RET_ERRNO | EPERM);
    on_values(p, __NR_ioctl, 1, flags, 3, SECCOMP_RET_ERRNO | EPERM);
}

static void filter_numbers(struct program *p, uint32_t count) {
    const uint32_t shared = MAP_SHARED | MAP_ANONYMOUS;
    ON_CALLS(p, counted_calls, count);
    emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mmap, 0, 5));
    load(p, offsetof(struct seccomp_data, args[3]));
    emit(p, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, shared));
    emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, shared, 0, 1));
    emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, count));
    emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}

/* `alone`: whether named objects of the program are its own, by a namespace. `serving`: a kernel's process. */
static void make_filter(struct program *p, int processes, int alone, int serving, uint32_t forbid) {
    p->length = 0;
    load(p, offsetof(struct seccomp_data, arch));
    emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0));
    emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    load(p, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__  /* the x32 numbers would walk around the list */
    emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
    emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
#endif
    if (processes == 3) allow_local_sockets(p);
    if (processes >= 2) {
        on_call(p, __NR_socketpair, SECCOMP_RET_ALLOW);
        ON_CALLS(p, refused_to_commands, SECCOMP_RET_ERRNO | EPERM);
    }
    ON_CALLS(p, forbidden_calls, forbid);
    ON_CALLS(p, refused_calls, SECCOMP_RET_ERRNO | EPERM);
    filter_memory_across_runs(p, processes);
    if (!processes) ON_CALLS(p, refused_to_programs, SECCOMP_RET_ERRNO | EPERM);
    if (!alone) ON_CALLS(p, named_object_calls, SECCOMP_RET_ERRNO | ENOSYS);
    if (!processes) ON_CALLS(p, process_calls, forbid);
    if (!processes && forbid == SECCOMP_RET_USER_NOTIF) filter_numbers(p, forbid);
    if (serving) filter_waking(p, forbid);
    if (!processes) filter_signals(p, getpid(), forbid);
    on_call(p, __NR_clone3, SECCOMP_RET_ERRNO | ENOSYS);  /* its flags are out of sight; libc then uses clone */
    filter_clone(p, processes, forbid);
    emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}
