/* Preloaded into a program to count its heap allocations; the counts are advice for a policy, never part of a verdict. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static unsigned long calls, bytes;

static void count(size_t size) {
    __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&bytes, size, __ATOMIC_RELAXED);
}

void *malloc(size_t size) { count(size); return __libc_malloc(size); }
void *calloc(size_t n, size_t size) { count(n * size); return __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { count(size); return __libc_realloc(old, size); }

__attribute__((destructor)) static void tell(void) {
    fprintf(stderr, "\nmaxcode-allocations %lu %lu\n", calls, bytes);
    fflush(stderr);
}
