# attack: none, an honest aggressive program: a regular expression finds the numbers, a Counter counts them
# task: total_py
# expect: ok

import re
import sys
from collections import Counter

numbers = re.compile(rb"-?\d+").findall
found = list(map(int, numbers(sys.stdin.buffer.read())))
values = found[1 : found[0] + 1]
counts = Counter(values)
print(sum(values), max(counts, default=None), len(counts))
