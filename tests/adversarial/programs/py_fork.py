# attack: forks and works in the child
# task: total_py
# expect: rejected
# reason: fork|clone|process|os\b

import os
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


if os.fork() == 0:
    honest()
else:
    os.wait()
