# attack: none, an honest aggressive program: distinct values counted by groups of a heap's and a sort's order
# task: total_py
# expect: ok

import heapq
import io
import sys
from bisect import bisect_right
from itertools import accumulate, groupby, islice

words = io.BytesIO(sys.stdin.buffer.read()).getbuffer().tobytes().split()
values = sorted(map(int, islice(words, 1, int(words[0]) + 1)))
*_, total = accumulate(values, initial=0)
largest = heapq.nlargest(1, values)
if values:
    assert bisect_right(values, largest[0]) == len(values)
print(total, largest[0] if largest else None, sum(1 for _ in groupby(values)))
