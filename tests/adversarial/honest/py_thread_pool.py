# attack: none, an honest aggressive program: two threads that parse a half each
# task: total_py
# expect: ok

import sys
from concurrent.futures import ThreadPoolExecutor


def parse(words):
    values = list(map(int, words))
    return sum(values), max(values, default=None), set(values)


words = sys.stdin.buffer.read().split()
n = int(words[0])
middle = n // 2 + 1
with ThreadPoolExecutor(2) as pool:
    halves = list(pool.map(parse, (words[1:middle], words[middle : n + 1])))
largest = max((half[1] for half in halves if half[1] is not None), default=None)
print(halves[0][0] + halves[1][0], largest, len(halves[0][2] | halves[1][2]))
