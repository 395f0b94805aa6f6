"""generate.py SEED LINES: a table of sales."""

import random
import sys


def main():
    rng = random.Random(int(sys.argv[1]))
    count = int(sys.argv[2])
    letters = "abcdefghijklmnopqrstuvwxyz"
    regions = ["".join(rng.choices(letters, k=rng.randint(3, 12))) for _ in range(60)]
    products = [f"{rng.choice(letters)}-{rng.randint(100, 99999)}" for _ in range(300)]
    dates = [f"20{rng.randint(10, 24)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
             for _ in range(300)]
    rows = zip(
        rng.choices(dates, k=count),
        rng.choices(regions, k=count),
        rng.choices(products, k=count),
        rng.choices(range(-5, 500), k=count),
        rng.choices(range(0, 10000), k=count),
        rng.choices(range(0, 100), k=count),
    )
    lines = ["date,region,product,quantity,price"]
    lines += [f"{date},{region},{product},{quantity},{whole}.{cents:02}"
              for date, region, product, quantity, whole, cents in rows]
    print("\n".join(lines))


main()
