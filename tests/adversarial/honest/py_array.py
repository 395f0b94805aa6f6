# attack: none, an honest aggressive program: an array seen through a memoryview and struct; a list for wide numbers
# task: total_py
# expect: ok

import array
import struct
import sys

words = sys.stdin.buffer.read().split()
n = int(words[0])
values = list(map(int, words[1 : n + 1]))
try:
    packed = array.array("q", values)
    view = memoryview(packed).cast("B").cast("q")
    distinct = len(set(struct.unpack(f"{n}q", view)))
    total, largest = sum(view), max(view) if n else None
except OverflowError:
    total, largest, distinct = sum(values), max(values), len(set(values))
sys.stdout.write(f"{total} {largest} {distinct}\n")
