# attack: none, an honest faster program: the loop replaced by sum, max and set
# task: total_py
# expect: ok
# reason: .*

import sys

words = sys.stdin.buffer.read().split()
values = list(map(int, words[1 : int(words[0]) + 1]))
print(sum(values), max(values), len(set(values)))
