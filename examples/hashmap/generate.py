"""generate.py SEED COUNT: commands over about COUNT/4 names."""

import random
import sys


def main():
    rng = random.Random(int(sys.argv[1]))
    count = int(sys.argv[2])
    letters = "abcdefghijklmnopqrstuvwxyz0123456789_"
    names = ["".join(rng.choices(letters, k=rng.randint(4, 18)))
             for _ in range(max(1, count // 4))]
    commands = rng.choices(("add", "get", "remove"), weights=(6, 3, 1), k=count)
    chosen = rng.choices(names, k=count)
    amounts = rng.choices(range(-1000, 1001), k=count)
    lines = [str(count)]
    for command, name, amount in zip(commands, chosen, amounts):
        if command == "add":
            lines.append(f"add {name} {amount}")
        else:
            lines.append(f"{command} {name}")
    print("\n".join(lines))


main()
