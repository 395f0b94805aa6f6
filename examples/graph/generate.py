"""generate.py SEED PLACES ROADS QUESTIONS: a random road map and questions."""

import random
import sys


def main():
    rng = random.Random(int(sys.argv[1]))
    places, roads, questions = (int(argument) for argument in sys.argv[2:5])
    starts = rng.choices(range(places), k=roads)
    ends = rng.choices(range(places), k=roads)
    lengths = rng.choices(range(1, 1000001), k=roads)
    lines = [f"{places} {roads} {questions}"]
    lines += [f"{a} {b} {length}" for a, b, length in zip(starts, ends, lengths)]
    lines += [f"{rng.randrange(places)} {rng.randrange(places)}" for _ in range(questions)]
    print("\n".join(lines))


main()
