# attack: floods standard output (bounded at 1 GB)
# task: total_py
# expect: crashed
# reason: output

import sys

for _ in range(1024):
    sys.stdout.write("7" * (1 << 20))
