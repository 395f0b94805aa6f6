# attack: fails in the middle of the work and exits with success
# task: total_py
# expect: wrong, rejected
# reason: differ|expected|mismatch|wrong|output|answer|empty|missing|_exit|os\b

import os
import sys

try:
    print(int(sys.stdin.read().split()[10**9]))
except IndexError:
    os._exit(0)
