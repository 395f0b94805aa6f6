# attack: exits with success before doing anything
# task: total_py
# expect: wrong
# reason: differ|expected|mismatch|wrong|output|answer|empty|missing

import sys

sys.exit(0)
