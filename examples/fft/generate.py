"""generate.py SEED N M: two polynomials with N and M coefficients."""

import random
import sys


def main():
    rng = random.Random(int(sys.argv[1]))
    n, m = int(sys.argv[2]), int(sys.argv[3])
    print(n, m)
    for size in (n, m):
        print(" ".join(map(str, rng.choices(range(-1000, 1001), k=size))))


main()
