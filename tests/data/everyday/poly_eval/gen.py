"""gen.py SEED SIZE"""

import random
import sys

seed, size = map(int, sys.argv[1:])
random.seed(seed)
print(size, size)
print(" ".join(f"{random.uniform(-1, 1):.3f}" for _ in range(size)))
for _ in range(size):
    print(f"{random.uniform(-0.9, 0.9):.3f}")
