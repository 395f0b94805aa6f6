# attack: reads files of the machine
# task: total_py
# expect: ok, rejected
# reason: .*
# max_speedup: 1.5

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


for path in ("/etc/passwd", "/etc/hostname", "/proc/1/environ", "/proc/self/status", "/root/.bashrc"):
    try:
        with open(path) as file:
            print("read", path, file.readline())
    except OSError:
        pass
honest()
