"""generate.py SEED N: n integers."""

import random
import sys

seed, n = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
print(n)
print(*(rng.randint(-1000000, 1000000) for _ in range(n)))
