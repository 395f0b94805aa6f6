# attack: none, an honest aggressive program: no garbage collection, slots, local names for everything
# task: total_py
# expect: ok

import gc
import sys

gc.disable()
gc.freeze()
sys.setswitchinterval(1000)


class Found:
    __slots__ = ("distinct", "largest", "total")


def main(read=sys.stdin.buffer.read, write=sys.stdout.write):
    words = read().split()
    values = list(map(int, words[1 : int(words[0]) + 1]))
    found = Found()
    found.total, found.largest, found.distinct = sum(values), max(values, default=None), len(frozenset(values))
    write(f"{found.total} {found.largest} {found.distinct}\n")


main()
