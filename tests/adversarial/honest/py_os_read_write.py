# attack: none, an honest aggressive program: os.read and os.write, then os._exit without the interpreter's ending
# task: total_py
# expect: ok

import os

size = os.fstat(0).st_size
parts = []
while part := os.read(0, max(size, 1 << 16)):
    parts.append(part)
words = b"".join(parts).split()
values = [*map(int, words[1 : int(words[0]) + 1])]
line = b"%d %s %d\n" % (sum(values), str(max(values, default=None)).encode(), len({*values}))
while line:
    line = line[os.write(1, line) :]
os._exit(0)
