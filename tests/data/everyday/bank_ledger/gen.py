"""gen.py SEED SIZE"""

import random
import sys

seed, size = map(int, sys.argv[1:])
random.seed(seed)
print(size)
for _ in range(size):
    print(f"customer{random.randrange(1, max(2, size // 100))} {random.randrange(-5000, 9000)}")
