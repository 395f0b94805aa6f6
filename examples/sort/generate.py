"""generate.py SEED COUNT: records with few distinct keys and random names."""

import random
import sys


def main():
    rng = random.Random(int(sys.argv[1]))
    count = int(sys.argv[2])
    spread = max(1, count // 4)
    keys = rng.choices(range(-spread, spread + 1), k=count)
    letters = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=count * 12))
    sizes = rng.choices(range(3, 13), k=count)
    lines = [str(count)]
    at = 0
    for key, size in zip(keys, sizes):
        lines.append(f"{key} {letters[at:at + size]}")
        at += size
    print("\n".join(lines))


main()
