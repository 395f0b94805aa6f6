# attack: allocates and touches memory without end (bounded at 4 GB)
# task: total_py
# expect: crashed
# reason: memory|kill

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


held = [bytearray(b"x" * (1 << 20)) for _ in range(4096)]
honest()
