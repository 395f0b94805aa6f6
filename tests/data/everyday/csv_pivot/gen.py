"""gen.py SEED SIZE"""

import random
import sys

seed, size = map(int, sys.argv[1:])
random.seed(seed)
for _ in range(size):
    print(f"r{random.randrange(200)}, c{random.randrange(300)}, {random.uniform(0, 100):.2f}")
