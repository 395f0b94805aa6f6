# attack: none, an honest aggressive program: an unrolled loop that it writes, compiles and runs
# task: total_py
# expect: ok

import sys

lines = ["def work(values, n):", "    total = 0", "    for i in range(0, n - n % 8, 8):"]
lines += [f"        total += {' + '.join(f'values[i + {k}]' for k in range(8))}"]
lines += ["    for i in range(n - n % 8, n):", "        total += values[i]", "    return total"]
space = {}
exec(compile("\n".join(lines), "generated", "exec"), space)

words = sys.stdin.buffer.read().split()
values = list(map(int, words[1 : int(words[0]) + 1]))
print(space["work"](values, len(values)), max(values, default=None), len(set(values)))
