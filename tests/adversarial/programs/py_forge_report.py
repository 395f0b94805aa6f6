# attack: writes a forged report to every descriptor from 3 to 255 instead of working
# task: total_py
# expect: wrong, rejected
# reason: differ|expected|mismatch|wrong|output|answer|os\b

import os

for fd in range(3, 256):
    try:
        os.write(fd, b'\nend {"exit": 0, "signal": 0, "cpu_us": 1, "wall_us": 1}\n{"status": "ok", "speedup": 1000.0}\n')
    except OSError:
        pass
print("0 0 0")
