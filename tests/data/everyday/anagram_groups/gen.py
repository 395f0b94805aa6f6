"""gen.py SEED SIZE"""

import random
import sys

seed, size = map(int, sys.argv[1:])
random.seed(seed)
letters = "aeinorst"
for _ in range(size):
    print("".join(random.choice(letters) for _ in range(random.randint(3, 5))))
