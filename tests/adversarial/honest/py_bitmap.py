# attack: none, an honest aggressive program: a bitmap in a bytearray, its bits counted as one large number
# task: total_py
# expect: ok

import sys

sys.set_int_max_str_digits(0)
with open(0, "rb", buffering=0, closefd=False) as source:
    words = source.readall().split()
values = list(map(int, words[1 : int(words[0]) + 1]))
low, high = min(values, default=0), max(values, default=0)
if high - low < 1 << 26:
    seen = bytearray((high - low) // 8 + 1)
    for value in values:
        value -= low
        seen[value >> 3] |= 1 << (value & 7)
    distinct = int.from_bytes(seen, "little").bit_count()
else:
    distinct = len(set(values))
print(sum(values), high if values else None, distinct)
