"""The main program linked to a kernel: calls it when told to, over buffers in shared memory, and knows nothing else.

Clock, seeds, references and comparisons are elsewhere. The layout of the shared memory, in 64-bit words:
word 0: number of slots; word 1: arguments per slot; then for each slot and argument one word:
a scalar's bits, or a buffer's byte offset; then, likewise, one word per slot and argument with a buffer's byte length.
"""

from __future__ import annotations

from maxcode.kinds.kernel.table import Argument, Kernel
from maxcode.task.model import Task

HEADER_WORDS = 2

_TEMPLATE = """\
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

@SIGNATURE@;

enum { COMMANDS = 3, REPLIES = 4, SHARED = 5, ARGUMENTS = @COUNT@ };

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void call(unsigned char *base, int64_t slot) {
    int64_t *words = (int64_t *)base, *place = words + @HEADER@ + slot * ARGUMENTS;
    @LENGTHS@
    @PREPARE@
    @FUNCTION@(@ARGUMENTS@);
    @FINISH@
}

int main(void) {
    struct stat info;
    if (fstat(SHARED, &info) != 0) return 120;
    const int access = PROT_READ | PROT_WRITE, how = MAP_SHARED | MAP_POPULATE;
    unsigned char *base = (unsigned char *)mmap(NULL, info.st_size, access, how, SHARED, 0);
    if (base == (unsigned char *)MAP_FAILED) return 121;
    int64_t inner = 0;
    int32_t command[2];
    if (write(REPLIES, &inner, sizeof inner) != sizeof inner) return 122;
    while (read(COMMANDS, command, sizeof command) == sizeof command) {
        inner = now();
        for (int32_t slot = command[0]; slot < command[0] + command[1]; slot++) call(base, slot);
        inner = now() - inner;
        if (write(REPLIES, &inner, sizeof inner) != sizeof inner) return 122;
    }
    return 0;
}
"""


def driver(task: Task, *, on_heap: bool) -> str:
    """Source of the main program for a task's function."""
    return driver_source(task.table(Kernel), on_heap=on_heap)


def driver_source(kernel: Kernel, *, on_heap: bool = False) -> str:
    """The driver of a kernel. `on_heap` copies buffers to exact heap blocks, where a sanitizer sees their ends."""
    arguments = list(enumerate(kernel.arguments))
    buffers = [i for i, a in arguments if a.is_buffer]
    prepare, finish = [], []
    for i in buffers if on_heap else []:
        prepare.append(f"void *heap{i} = malloc(length[{i}]); memcpy(heap{i}, base + place[{i}], length[{i}]);")
        finish.append(f"memcpy(base + place[{i}], heap{i}, length[{i}]); free(heap{i});")
    replacements = {
        "@SIGNATURE@": kernel.signature,
        "@COUNT@": str(len(arguments)),
        "@HEADER@": str(HEADER_WORDS),
        "@LENGTHS@": "int64_t *length = words + @HEADER@ + (words[0] + slot) * ARGUMENTS;" if on_heap else "",
        "@PREPARE@": " ".join(prepare),
        "@FINISH@": " ".join(finish),
        "@FUNCTION@": kernel.function,
        "@ARGUMENTS@": ", ".join(_expression(i, a, on_heap) for i, a in arguments),
    }
    text = _TEMPLATE
    for name, value in replacements.items():
        text = text.replace(name, value)
    return text.replace("@HEADER@", str(HEADER_WORDS))


def _expression(index: int, argument: Argument, on_heap: bool) -> str:
    if not argument.is_buffer:
        return f"*({argument.type} *)&place[{index}]"
    return f"({argument.type} *)heap{index}" if on_heap else f"({argument.type} *)(base + place[{index}])"
