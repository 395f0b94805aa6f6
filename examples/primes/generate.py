"""generate.py SEED QUERIES HIGHEST: numbers to factorise, small ones included."""

import random
import sys


def main():
    rng = random.Random(int(sys.argv[1]))
    queries, highest = int(sys.argv[2]), int(sys.argv[3])
    numbers = []
    for _ in range(queries):
        if rng.random() < 0.9:
            numbers.append(rng.randint(max(1, highest // 2), highest))
        else:
            numbers.append(rng.randint(1, min(highest, 100000)))
    print(queries)
    print("\n".join(map(str, numbers)))


main()
