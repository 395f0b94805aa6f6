"""generate.py SEED KIND SIZE: a size and a seed, so many numbers, or so many words."""

import random
import sys

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def main() -> None:
    seed, kind, size = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    rng = random.Random(seed)
    if kind == "seed":
        print(size, rng.randrange(1, 1 << 30))
    elif kind == "numbers":
        print(size, *rng.choices(range(100000), k=size))
    else:
        known = ["".join(rng.choices(LETTERS, k=rng.randint(2, 11))) for _ in range(max(1, size // 5))]
        print(size, *rng.choices(known, k=size))


main()
