# attack: forks through a name put together at run time
# task: total_py
# expect: rejected
# reason: fork|clone|process|import

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


split = getattr(sys.modules["po" + "six"], "fo" + "rk")
if split() == 0:
    honest()
