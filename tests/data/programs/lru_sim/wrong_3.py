# wrong: precision: the hit rate is computed from the miss rate, which rounds halves the other way
import sys
from collections import OrderedDict
from itertools import islice


def replay(capacity, ops, pages):
    cache = OrderedDict()
    move, pop = cache.move_to_end, cache.popitem
    misses = writebacks = used = 0
    for write, page in zip(ops, pages):
        if page in cache:
            move(page)
            if write:
                cache[page] = True
        else:
            misses += 1
            if used >= capacity:
                if pop(False)[1]:
                    writebacks += 1
            else:
                used += 1
            cache[page] = write
    return len(ops) - misses, misses, writebacks, list(islice(reversed(cache), 5))


def main():
    capacities = [int(c) for c in sys.stdin.readline().split()]
    tok = sys.stdin.read().split()
    ops = [op == "w" for op in tok[0::2]]
    pages = tok[1::2]
    done = {}
    for c in capacities:
        if c not in done:
            done[c] = replay(c, ops, pages)
        hits, misses, writebacks, newest = done[c]
        rate = 100.0 * (1.0 - misses / len(ops)) if ops else 0.0
        print("size %d: %d hits, %d misses, %d write-backs, %.2f%%" % (c, hits, misses, writebacks, rate))
        print("  newest:", " ".join(newest))


main()
