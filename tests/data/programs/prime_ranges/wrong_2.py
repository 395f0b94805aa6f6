# wrong: tie rule: of several widest gaps the last is reported, not the first
import sys
from bisect import bisect_left, bisect_right
from itertools import accumulate, compress


def main():
    data = list(map(int, sys.stdin.read().split()))
    los, his = data[1::2], data[2::2]
    top = max(max(his, default=0), 2)
    half = bytearray([1]) * ((top + 1) // 2)  # index i stands for 2i+1
    half[0] = 0
    for i in range(1, (int(top ** 0.5) + 1) // 2 + 1):
        if i < len(half) and half[i]:
            p = 2 * i + 1
            first = p * p // 2
            if first < len(half):
                half[first::p] = bytes((len(half) - first - 1) // p + 1)
    primes = [2]
    primes.extend(compress(range(1, top + 1, 2), half))
    sums = [0]
    sums.extend(accumulate(primes))
    gaps = [b - a for a, b in zip(primes, primes[1:])]
    out = []
    for lo, hi in zip(los, his):
        a, b = bisect_left(primes, lo), bisect_right(primes, hi)
        if b < a:
            b = a
        total = sums[b] - sums[a]
        if b - a < 2:
            out.append("%d %d %d %d" % (lo, hi, b - a, total))
        else:
            gap, place = max(zip(gaps[a:b - 1], range(a, b)))
            out.append("%d %d %d %d gap %d after %d" % (lo, hi, b - a, total, gap, primes[place]))
    print("\n".join(out))


main()
