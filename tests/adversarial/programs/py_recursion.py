# attack: recursion without end, with the interpreter's limit taken off
# task: total_py
# expect: crashed, timeout
# reason: recursion|memory|signal|segv|exit|time|status

import sys

sys.setrecursionlimit(2**31 - 1)


def down(depth):
    return down(depth + 1) + len([None] * 8)


print(down(0))
