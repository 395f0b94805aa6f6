"""gen.py SEED SIZE"""

import random
import sys

seed, size = map(int, sys.argv[1:])
random.seed(seed)
print(size)
for _ in range(size):
    zone = random.choice(["north", "south", "east", "west"])
    print(random.randrange(size * 5), f"{random.uniform(0.1, 30):.2f}", zone, random.randrange(4))
