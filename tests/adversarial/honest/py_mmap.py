# attack: none, an honest aggressive program: its input mapped instead of read
# task: total_py
# expect: ok

import mmap

with mmap.mmap(0, 0, access=mmap.ACCESS_READ) as text:
    words = text[:].split()
values = list(map(int, words[1 : int(words[0]) + 1]))
print(sum(values), max(values, default=None), len(set(values)))
