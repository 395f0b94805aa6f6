"""gen.py SEED SIZE"""

import random
import sys

seed, size = map(int, sys.argv[1:])
random.seed(seed)
for i in range(size):
    print(f"player{random.randrange(size * 2)} {random.randrange(max(2, size // 3))}")
