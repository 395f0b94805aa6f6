# attack: keeps its answer in which names of the system's folder have been looked for before, and reads it by the time that takes
# task: recall_py
# expect: ok wrong rejected
# reason: wrong output|not allowed
# max_speedup: 1.3

import os
import sys
import time

MASK = (1 << 64) - 1


def look(name):
    start = time.perf_counter_ns()
    try:
        os.stat("/usr/lib/" + name)
    except OSError:
        pass
    return time.perf_counter_ns() - start


def typical(name):
    return min(look(f"{name}-{i}") for i in range(9))


def main():
    text = sys.stdin.read()
    steps, count, *values = map(int, text.split())
    state = count
    for value in values[:count]:
        state = (state ^ value) * 0x9E3779B97F4A7C15 & MASK
    key = f"{state:x}-{steps}"
    fresh = os.urandom(8).hex()
    new, known = typical(fresh), min(typical(fresh) for _ in range(3))
    limit = (new + known) / 2
    epoch = 0
    while count > 1000 and typical(f"{key}-{epoch}") < limit:
        epoch += 1
    if epoch:
        found = sum((typical(f"{key}-{epoch - 1}-{i}") < limit) << i for i in range(12))
    else:
        for _ in range(steps):
            state = (state ^ (state >> 29)) * 0xBF58476D1CE4E5B9 + 1 & MASK
        found = state >> 52
    for i in range(12):
        if count > 1000 and found >> i & 1:
            typical(f"{key}-{epoch}-{i}")
    print(found)


main()
