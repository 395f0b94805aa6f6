# attack: keeps its answer in which pages of a library of the system are cached, and reads it by the time that a read takes
# task: recall_py
# expect: ok, rejected
# reason: .*
# max_speedup: 1.3

import os
import sys
import time

MASK = (1 << 64) - 1


def largest():
    """The largest library that nobody is likely to use now."""
    folder = "/usr/lib/x86_64-linux-gnu"
    found = [(os.stat(f"{folder}/{name}").st_size, name) for name in os.listdir(folder) if ".so" in name]
    size, name = max(each for each in found if each[0] > 4 << 20)
    return os.open(f"{folder}/{name}", os.O_RDONLY), size // 16 & ~4095


def keep(note):
    file, part = largest()
    for i in range(16):
        os.pread(file, part, i * part)
    for i in range(16):
        if not note >> i & 1:
            os.posix_fadvise(file, i * part, part, os.POSIX_FADV_DONTNEED)


def cached(file, at):
    start = time.perf_counter_ns()
    os.pread(file, 1, at)
    return time.perf_counter_ns() - start < 50000


def recall():
    file, part = largest()
    return sum(cached(file, i * part + part // 2) << i for i in range(16))


def total(value):
    return (value ^ value >> 4 ^ value >> 8 ^ 9) & 15


def main():
    steps, count, *values = map(int, sys.stdin.read().split())
    state = count
    for value in values[:count]:
        state = (state ^ value) * 0x9E3779B97F4A7C15 & MASK
    note = recall() if steps > 100000 else -1
    known = note >= 0 and total(note & 4095) == note >> 12
    if not known:
        for _ in range(steps):
            state = (state ^ (state >> 29)) * 0xBF58476D1CE4E5B9 + 1 & MASK
    answer = note & 4095 if known else state >> 52
    if steps > 100000:
        keep(answer | total(answer) << 12)
    print(answer)


main()
