"""gen.py SEED SIZE"""

import random
import sys

seed, size = map(int, sys.argv[1:])
random.seed(seed)
length = size * 6
places = random.sample(range(length), size)
print(size, length, 30)
for place in places:
    print(random.choice(["car", "car", "truck"]), place)
