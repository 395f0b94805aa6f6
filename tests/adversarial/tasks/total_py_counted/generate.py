"""Prints an input of the task: generate.py SEED N."""
import random
import sys

rng = random.Random(sys.argv[1])
n = int(sys.argv[2])
spread = max(2, n // 2)
print(n)
print(*(rng.randint(-spread, spread) for _ in range(n)))
