"""gen.py SEED SIZE"""

import random
import sys

seed, size = map(int, sys.argv[1:])
random.seed(seed)
for i in range(size):
    key = f"module{random.randrange(40)}.key_{random.randrange(max(2, size // 20))}"
    kind = random.random()
    if kind < 0.05:
        print("# a comment")
    elif kind < 0.08:
        print(f"{key} =")
    else:
        print(f"  {key} = value {random.randrange(1000)}" + ("  # why" if random.random() < 0.2 else ""))
