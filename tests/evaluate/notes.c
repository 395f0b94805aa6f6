/* Tries one way to leave a note for the next run, or to do harm through a descriptor, and prints what came of it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/fs.h>
#include <mqueue.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static void say(long result) { puts(result >= 0 ? "done" : strerrorname_np(errno)); }

static void read_now(void) {
    char byte;
    struct iovec to = {&byte, 1};
    say(preadv2(0, &to, 1, 0, RWF_NOWAIT));
}

static void *mapped(int file, int how) { return mmap(NULL, 4096, PROT_READ, how, file, 0); }

/* Everything that a descriptor of somebody else's file can be spoilt with. */
static void spoil(int file) {
    struct timespec times[2] = {{1, 0}, {1, 0}};
    unsigned long hint = 4, flags = 0x40;
    fsetxattr(file, "user.note", "1", 1, 0);
    futimens(file, times);
    fcntl(file, 1036, &hint);
    ioctl(file, FS_IOC_SETFLAGS, &flags);
    if (file == 0 && (ftruncate(file, 0) == 0 || pwrite(file, "9", 1, 0) == 1)) puts("changed");
    if (fchown(file, getuid(), getgid()) == 0) fchmod(file, 0);
    fchmod(file, 0);
    puts("tried");
}

static void look(int file) {
    struct stat info;
    char value;
    fstat(file, &info);
    printf("%o %ld %zd\n", info.st_mode & 0777, (long)info.st_mtime, fgetxattr(file, "user.note", &value, 1));
}

static void map_input(int how) {
    char *text = mapped(0, how);
    puts(text == MAP_FAILED ? strerrorname_np(errno) : text);
}

static void count_files(int most) {
    int made = 0;
    for (int file; made < most && (file = memfd_create("note", 0)) >= 0; made++) close(file);
    printf("%d\n", made);
}

static void kind_of(const char *path) {
    struct statfs info;
    printf("%lx\n", statfs(path, &info) == 0 ? (unsigned long)info.f_type : 0);
}

/* Fills memory to the brim of its group and reads a file before and after. */
static void press(const char *path, size_t megabytes) {
    static char buffer[1 << 20];
    int file = open(path, O_RDONLY);
    while (read(file, buffer, sizeof buffer) > 0) {}
    for (size_t i = 0; i < megabytes; i++) memset(malloc(1 << 20), 1, 1 << 20);
    puts("full");
}

int main(int argc, char **argv) {
    const char *what = argv[1], *given = argc > 2 ? argv[2] : "";
    char buffer[4096];
    unsigned long hint = 4, flags = 0x40, queue = 0, counts[8] = {0}, range[2] = {0, 4096};
    struct timespec times[2] = {{1, 0}, {1, 0}};
    if (is(what, "read now")) read_now();
    else if (is(what, "advise")) say(-posix_fadvise(0, 0, 4096, POSIX_FADV_DONTNEED));
    else if (is(what, "read ahead")) say(readahead(0, 0, 4096));
    else if (is(what, "sync")) say(syscall(SYS_sync_file_range, 0, 0, 4096, 0));
    else if (is(what, "mincore")) say(mincore(mapped(0, MAP_PRIVATE), 4096, (unsigned char *)buffer));
    else if (is(what, "cachestat")) say(syscall(451, 0, range, counts, 0));
    else if (is(what, "queue")) say(syscall(SYS_io_setup, 4, &queue));
    else if (is(what, "collapse")) say(madvise(mapped(0, MAP_PRIVATE), 4096, 25));
    else if (is(what, "place")) say(syscall(SYS_mbind, mapped(0, MAP_PRIVATE), 4096, 2, &(unsigned long){1}, 64, 0));
    else if (is(what, "ask place")) say(syscall(SYS_get_mempolicy, &(int){0}, NULL, 0, mapped(0, MAP_PRIVATE), 2));
    else if (is(what, "move")) say(syscall(SYS_move_pages, 0, 0, NULL, NULL, NULL, 0));
    else if (is(what, "page out")) say(madvise(mapped(0, MAP_PRIVATE), 4096, 21));
    else if (is(what, "free")) say(madvise(mapped(0, MAP_PRIVATE), 4096, MADV_DONTNEED));
    else if (is(what, "mode")) say(fchmod(0, 0));
    else if (is(what, "owner")) say(fchown(0, getuid(), getgid()));
    else if (is(what, "times")) say(futimens(0, times));
    else if (is(what, "device times")) say(utimensat(AT_FDCWD, "/dev/null", NULL, 0));
    else if (is(what, "device")) {
        if (is(given, "/dev/null")) say(open(given, O_WRONLY | O_CREAT | O_TRUNC, 0600));
        say(open(given, O_RDONLY));
    }
    else if (is(what, "attribute")) say(fsetxattr(0, "user.note", "1", 1, 0));
    else if (is(what, "hint")) say(fcntl(0, 1036, &hint));
    else if (is(what, "lease")) say(fcntl(0, F_SETLEASE, F_RDLCK));
    else if (is(what, "flags")) say(ioctl(0, FS_IOC_SETFLAGS, &flags));
    else if (is(what, "truncate")) say(truncate(given, 0));
    else if (is(what, "chmod")) say(chmod(given, 0));
    else if (is(what, "watch")) say(inotify_init());
    else if (is(what, "shared memory")) say(shmget(0x6d617863, 4096, IPC_CREAT | 0600));
    else if (is(what, "messages")) say(msgget(0x6d617863, IPC_CREAT | 0600));
    else if (is(what, "semaphores")) say(semget(0x6d617863, 1, IPC_CREAT | 0600));
    else if (is(what, "queue of messages")) say(mq_open("/maxcode-test-note", O_RDWR | O_CREAT, 0600, NULL));
    else if (is(what, "spoil")) for (int file = 0; file < 3; file++) spoil(file);
    else if (is(what, "look")) look(0);
    else if (is(what, "map")) map_input(MAP_PRIVATE);
    else if (is(what, "map shared")) map_input(MAP_SHARED);
    else if (is(what, "seek")) printf("%ld %ld\n", (long)lseek(0, 0, SEEK_END), (long)lseek(0, 0, SEEK_SET));
    else if (is(what, "position")) printf("%ld\n", (long)lseek(5, 1, SEEK_CUR));
    else if (is(what, "many files")) count_files(atoi(given));
    else if (is(what, "kind")) kind_of(given);
    else if (is(what, "press")) press(given, atoi(argv[3]));
    else return 99;
    return 0;
}
