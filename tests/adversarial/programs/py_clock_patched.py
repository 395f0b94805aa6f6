# attack: replaces the functions of the time module
# task: total_py
# expect: ok, rejected
# reason: .*
# max_speedup: 1.5

import sys
import time


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


time.time = time.perf_counter = time.monotonic = time.process_time = lambda: 0.0
time.time_ns = time.perf_counter_ns = time.monotonic_ns = lambda: 0
honest()
