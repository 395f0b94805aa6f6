# attack: kills its parent and pid 1
# task: total_py
# expect: ok, rejected
# reason: .*
# max_speedup: 1.5

import os
import signal
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


if os.getppid() > 1:
    print("not in a sandbox")  # the supervisor is pid 1 there
else:
    for number in (signal.SIGSTOP, signal.SIGKILL):
        try:
            os.kill(1, number)
        except OSError:
            pass
    honest()
