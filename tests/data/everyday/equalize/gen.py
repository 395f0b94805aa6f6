"""gen.py SEED SIZE"""

import random
import sys

seed, size = map(int, sys.argv[1:])
random.seed(seed)
print(size, size)
for _ in range(size):
    print(" ".join(str(min(63, int(random.gammavariate(3, 7)))) for _ in range(size)))
