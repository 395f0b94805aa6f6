/* Which system calls a candidate may not make; for the runner and for processes that confine themselves. */
#pragma once
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
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

/* With processes=2, for a repository's own commands: looking up a user's name tries a socket, event loops try the rest.
 * They go on without; the way out is closed by the network namespace. */
static const int refused_to_commands[] = {__NR_socket, __NR_connect, __NR_bind, __NR_listen, __NR_io_uring_setup};

struct program { struct sock_filter code[256]; unsigned short length; };

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

static void make_filter(struct program *p, int processes, uint32_t forbid) {
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
        for (size_t i = 0; i < sizeof refused_to_commands / sizeof *refused_to_commands; i++)
            on_call(p, refused_to_commands[i], SECCOMP_RET_ERRNO | EPERM);
    }
    for (size_t i = 0; i < sizeof forbidden_calls / sizeof *forbidden_calls; i++) on_call(p, forbidden_calls[i], forbid);
    for (size_t i = 0; i < sizeof refused_calls / sizeof *refused_calls; i++)
        on_call(p, refused_calls[i], SECCOMP_RET_ERRNO | EPERM);
    if (!processes)
        for (size_t i = 0; i < sizeof process_calls / sizeof *process_calls; i++) on_call(p, process_calls[i], forbid);
    if (!processes) filter_signals(p, getpid(), forbid);
    on_call(p, __NR_clone3, SECCOMP_RET_ERRNO | ENOSYS);  /* its flags are out of sight; libc then uses clone */
    filter_clone(p, processes, forbid);
    emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}
