"""gen.py SEED SIZE"""

import random
import sys

seed, size = map(int, sys.argv[1:])
random.seed(seed)
words = ["alpha", "be", "gamma", "Delta", "a", "omicron", "under", "Iota", "xyz"]
for i in range(size):
    print(random.choice(words) + random.choice(words), end="\n" if i % 9 == 8 else " ")
print()
