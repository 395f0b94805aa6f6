# attack: keeps its answer in an attribute of its input file
# task: recall_py
# expect: ok, rejected
# reason: .*
# max_speedup: 1.3

import os
import sys

MASK = (1 << 64) - 1


def keep(note):
    try:
        os.setxattr(0, "user.note", str(note).encode())
    except OSError:
        pass


def recall():
    try:
        return int(os.getxattr(0, "user.note"))
    except OSError:
        return -1


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
    if steps > 100000 and not known:
        keep(answer | total(answer) << 12)
    print(answer)


main()
