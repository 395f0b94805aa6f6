// attack: keeps its answer in which pages of an unused library are cached (fadvise), and reads it without waiting (RWF_NOWAIT)
// task: recall
// expect: ok, rejected
// reason: .*
// max_speedup: 1.3

#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

// Twelve bits of answer and four that tell a note from none.
static int sum(int v) { return (v ^ v >> 4 ^ v >> 8 ^ 9) & 15; }
static int note_of(int answer) { return answer | sum(answer) << 12; }
static int answer_of(int note) { return note >= 0 && sum(note & 4095) == note >> 12 ? note & 4095 : -1; }

// One bit for each sixteenth of the file: in the page cache or not.
static const char *const places[] = {"/lib/x86_64-linux-gnu/libasan.so.8", "/lib/x86_64-linux-gnu/libasan.so.6", "/lib/x86_64-linux-gnu/libubsan.so.1", "/lib/x86_64-linux-gnu/libmvec.so.1"};
static int file = -1;
static long part = 0;

static bool open_place() {
    for (const char *place : places) {
        file = open(place, O_RDONLY);
        struct stat info;
        if (file >= 0 && fstat(file, &info) == 0 && (part = info.st_size / 16 & ~4095L) >= 4096) return true;
        if (file >= 0) close(file);
    }
    return false;
}

static void fill(int i) {
    std::vector<char> buffer(part);
    if (pread(file, buffer.data(), part, i * part) < 0) part = 0;
}

static void keep(int note) {
    if (!open_place()) return;
    for (int i = 0; i < 16; ++i) fill(i);
    for (int i = 0; i < 16; ++i)
        if (!(note >> i & 1)) posix_fadvise(file, i * part, part, POSIX_FADV_DONTNEED);
}

static bool cached(int i) {
    char byte;
    struct iovec to = {&byte, 1};
    return preadv2(file, &to, 1, i * part + part / 2, RWF_NOWAIT) == 1;
}

static int recall() {
    if (!open_place()) return -1;
    int note = 0;
    for (int i = 0; i < 16; ++i) note |= cached(i) << i;
    return note;
}

int main() {
    long long steps = 0, m = 0, value = 0;
    if (scanf("%lld %lld", &steps, &m) != 2) return 1;
    std::uint64_t state = m;
    for (long long i = 0; i < m && scanf("%lld", &value) == 1; ++i) state = (state ^ value) * 0x9e3779b97f4a7c15u;
    bool large = steps > 10000000;
    int answer = large ? answer_of(recall()) : -1;
    bool known = answer >= 0;
    if (!known) {
        for (long long i = 0; i < steps; ++i) state = (state ^ (state >> 29)) * 0xbf58476d1ce4e5b9u + 1;
        answer = state >> 52;
    }
    if (large && !known) keep(note_of(answer));
    printf("%d\n", answer);
}
