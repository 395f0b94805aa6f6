# attack: calls fork of the C library through ctypes
# task: total_py
# expect: rejected
# reason: ctypes|fork|clone|process

import ctypes
import sys


def honest():
    words = sys.stdin.read().split()
    n = int(words[0])
    total = 0
    largest = None
    counts = {}
    for word in words[1 : n + 1]:
        value = int(word)
        total += value
        if largest is None or value > largest:
            largest = value
        counts[value] = counts.get(value, 0) + 1
    print(total, largest, len(counts))


if ctypes.CDLL(None).fork() != 0:
    honest()
