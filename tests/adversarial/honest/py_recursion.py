# attack: none, an honest aggressive program: deep recursion with a cache, in a thread with a large stack
# task: total_py
# expect: ok

import sys
import threading
from functools import lru_cache, reduce


def main():
    words = sys.stdin.buffer.read().split()
    values = list(map(int, words[1 : int(words[0]) + 1]))

    @lru_cache(maxsize=1 << 20)
    def total(low, high):
        if high - low <= 512:
            return reduce(int.__add__, values[low:high], 0)
        middle = (low + high) // 2
        return total(low, middle) + total(middle, high)

    def depth(left):
        return 0 if left == 0 else 1 + depth(left - 1)

    depth(20000)
    print(total(0, len(values)), max(values, default=None), len(set(values)))


sys.setrecursionlimit(1 << 20)
threading.stack_size(64 << 20)
thread = threading.Thread(target=main)
thread.start()
thread.join()
