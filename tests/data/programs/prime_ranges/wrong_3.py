# wrong: range of a test: numbers are tested with the one base 2, which lets strong pseudoprimes such as 2047 pass
import sys


def is_prime(n):
    """Miller-Rabin: constant work per number."""
    if n < 3 or n % 2 == 0:
        return n == 2
    d, s = n - 1, 0
    while d % 2 == 0:
        d //= 2
        s += 1
    x = pow(2, d, n)
    if x == 1 or x == n - 1:
        return True
    for _ in range(s - 1):
        x = x * x % n
        if x == n - 1:
            return True
    return False


def main():
    data = list(map(int, sys.stdin.read().split()))
    known = {}
    out = []
    for lo, hi in zip(data[1::2], data[2::2]):
        primes = []
        for n in range(lo, hi + 1):
            if n not in known:
                known[n] = is_prime(n)
            if known[n]:
                primes.append(n)
        row = "%d %d %d %d" % (lo, hi, len(primes), sum(primes))
        if len(primes) > 1:
            gap, where = max((b - a, -a) for a, b in zip(primes, primes[1:]))
            row += " gap %d after %d" % (gap, -where)
        out.append(row)
    print("\n".join(out))


main()
