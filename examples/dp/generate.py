"""generate.py SEED LENGTH: two strings, the second an edited copy of the first."""

import random
import sys


def main():
    rng = random.Random(int(sys.argv[1]))
    length = int(sys.argv[2])
    letters = "ACGT"
    first = rng.choices(letters, k=length)
    second = []
    for letter in first:
        draw = rng.random()
        if draw < 0.10:
            continue
        if draw < 0.20:
            second.append(rng.choice(letters))
        if draw < 0.40:
            second.append(rng.choice(letters))
        else:
            second.append(letter)
    del second[length:]
    print(rng.randint(1, 20), rng.randint(1, 20), rng.randint(1, 30))
    print("".join(first))
    print("".join(second))


main()
