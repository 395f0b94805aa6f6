"""A report on a made-up log; prints it, so that it can be compared."""

from __future__ import annotations

import random

from traffic import parse_log, report


def make_log(lines: int) -> str:
    rng = random.Random(7)
    made = []
    for number in range(lines):
        address = f"10.0.{rng.randrange(4)}.{rng.randrange(60)}"
        minutes, seconds = divmod(number * 11, 60)
        clock = f"{6 + minutes // 60 % 18:02d}:{minutes % 60:02d}:{seconds:02d}"
        path = f"/articles/{int(rng.paretovariate(0.6)) % 700}"
        status = rng.choice([200, 200, 200, 304, 404])
        made.append(f'{address} - - [05/Mar/2024:{clock} +0000] "GET {path} HTTP/1.1" {status} {rng.randrange(9000)}')
    return "\n".join(made)


if __name__ == "__main__":
    print(report(parse_log(make_log(2500))), end="")
