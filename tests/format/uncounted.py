"""Formats that end where the text ends; each a generator and a strict check."""

from __future__ import annotations

import json
import re
from datetime import date, datetime, timedelta
from random import Random

from tests.format.reader import Reader, matches, within

NAMES = ["ann", "bob", "cy", "dee", "eve", "fay", "gus", "hal"]


def csv(rng: Random) -> str:
    rows = [
        f'{100 + i},{rng.choice(NAMES)},{rng.randint(1, 40)},{rng.uniform(0, 99):.2f},"{rng.choice(["a, b", "c"])}"'
        for i in range(rng.randint(30, 60))
    ]
    return "id,name,quantity,price,note\n" + "\n".join(rows) + "\n"


def check_csv(text: str) -> None:
    read = Reader(text)
    assert read.line() == "id,name,quantity,price,note"
    seen = set()
    while read.more():
        found = matches(r'(\d+),([a-z]+),(\d+),(\d+\.\d\d),"(a, b|c)"', read.line())
        assert found[1] not in seen
        seen.add(found[1])
        assert found[2] in NAMES
        within([int(found[3])], 1, 40)


def semicolons(rng: Random) -> str:
    rows = [f"{rng.choice('NSEW')};{rng.randint(-20, 40)};{rng.choice(['yes', 'no'])}" for _ in range(40)]
    return "station;degrees;rain\n" + "\n".join(rows) + "\n"


def check_semicolons(text: str) -> None:
    read = Reader(text)
    assert read.line() == "station;degrees;rain"
    while read.more():
        found = matches(r"([NSEW]);(-?\d+);(yes|no)", read.line())
        within([int(found[2])], -20, 40)


def commands(rng: Random) -> str:
    lines = []
    for _ in range(rng.randint(40, 80)):
        kind = rng.choice(["ADD", "QUERY", "MOVE"])
        name = rng.choice(NAMES)
        lines.append(
            {"ADD": f"ADD {name} {rng.randint(1, 50)}", "QUERY": f"QUERY {name}"}.get(
                kind, f"MOVE {name} {rng.choice(NAMES)} {rng.randint(1, 9)}"
            )
        )
    return "\n".join(lines) + "\n"


def check_commands(text: str) -> None:
    for line in text.split("\n")[:-1]:
        matches(r"ADD [a-z]+ ([1-9]|[1-4]\d|50)|QUERY [a-z]+|MOVE [a-z]+ [a-z]+ [1-9]", line)


def stack(rng: Random) -> str:
    lines, depth = [], 0
    for _ in range(rng.randint(60, 120)):
        if depth and rng.random() < 0.5:
            lines.append("pop")
            depth -= 1
        else:
            lines.append(f"push {rng.randint(0, 99)}")
            depth += 1
    return "\n".join(lines) + "\n"


def check_stack(text: str) -> None:
    depth = 0
    for line in text.split("\n")[:-1]:
        depth += 1 if matches(r"pop|push \d\d?", line)[0] != "pop" else -1
        assert depth >= 0


def access_lines(rng: Random) -> str:
    lines = []
    for _ in range(rng.randint(30, 50)):
        address = ".".join(str(rng.randint(1, 250)) for _ in range(4))
        day = (date(2024, 1, 1) + timedelta(rng.randint(0, 300))).strftime("%d/%b/%Y")
        status, size = rng.choice([200, 404]), rng.choice(["-", str(rng.randint(10, 9999))])
        lines.append(f'{address} [{day}] "GET /{rng.choice(NAMES)} HTTP/1.1" {status} {size}')
    return "\n".join(lines) + "\n"


def check_access_lines(text: str) -> None:
    for line in text.split("\n")[:-1]:
        found = matches(r'[\d.]+ \[(\S+)\] "GET /[a-z]+ HTTP/1\.1" (200|404) (-|\d+)', line)
        datetime.strptime(found[1], "%d/%b/%Y")


def stamped(rng: Random) -> str:
    at = datetime(2024, 2, 20, 8)
    lines = []
    for _ in range(rng.randint(40, 60)):
        at += timedelta(seconds=rng.randint(10, 90_000))
        lines.append(
            f"{at:%Y-%m-%d %H:%M:%S} {rng.choice(['INFO', 'WARN'])} {rng.choice(NAMES)} did {rng.choice(['x', 'y z'])}"
        )
    return "\n".join(lines) + "\n"


def check_stamped(text: str) -> None:
    last = datetime(2000, 1, 1)
    for line in text.split("\n")[:-1]:
        found = matches(r"(\S+ \S+) (INFO|WARN) [a-z]+ did (x|y z)", line)
        at = datetime.strptime(found[1], "%Y-%m-%d %H:%M:%S")
        assert at >= last
        last = at


def settings(rng: Random) -> str:
    return f"width = {rng.randint(5, 50)}\nname = {rng.choice(NAMES)}\nseed = {rng.randint(1, 99)}\nverbose = true\n"


def check_settings(text: str) -> None:
    lines = text.split("\n")[:-1]
    assert sorted(line.split(" = ")[0] for line in lines) == ["name", "seed", "verbose", "width"]


def intervals(rng: Random) -> str:
    rows = [(start := rng.randint(0, 900), start + rng.randint(1, 60)) for _ in range(40)]
    return "".join(f"job{i} {a} {b}\n" for i, (a, b) in enumerate(rows))


def check_intervals(text: str) -> None:
    seen = set()
    for line in text.split("\n")[:-1]:
        found = matches(r"(job\d+) (\d+) (\d+)", line)
        assert found[1] not in seen
        seen.add(found[1])
        assert int(found[2]) < int(found[3])


def clock_times(rng: Random) -> str:
    lines = []
    for _ in range(40):
        a, b = sorted(rng.sample(range(24 * 60), 2))
        lines.append(f"{rng.choice(NAMES)} {a // 60:02}:{a % 60:02} {b // 60:02}:{b % 60:02}")
    return "\n".join(lines) + "\n"


def check_clock_times(text: str) -> None:
    for line in text.split("\n")[:-1]:
        found = matches(r"[a-z]+ (([01]\d|2[0-3]):[0-5]\d) (([01]\d|2[0-3]):[0-5]\d)", line)
        assert found[1] <= found[3]


def json_lines(rng: Random) -> str:
    rows = [{"id": i, "who": rng.choice(NAMES), "tags": rng.sample(NAMES, rng.randint(0, 3))} for i in range(30)]
    return "".join(json.dumps(row) + "\n" for row in rows)


def check_json_lines(text: str) -> None:
    for line in text.split("\n")[:-1]:
        row = json.loads(line)
        assert row["who"] in NAMES
        assert set(row) == {"id", "who", "tags"}


def expressions(rng: Random) -> str:
    def make(depth: int) -> str:
        if depth == 0 or rng.random() < 0.3:
            return str(rng.randint(1, 99))
        return f"({make(depth - 1)} {rng.choice('+-*')} {make(depth - 1)})"

    return "".join(make(4) + "\n" for _ in range(30))


def check_expressions(text: str) -> None:
    for line in text.split("\n")[:-1]:
        while (shorter := re.sub(r"\(\d+ [-+*] \d+\)", "1", line)) != line:
            line = shorter
        matches(r"\d+", line)


def assignments(rng: Random) -> str:
    lines: list[str] = []
    for i in range(rng.randint(70, 90)):
        known = [line.split(" = ")[0] for line in lines]
        value = f"{rng.choice(known)} + {rng.randint(1, 9)}" if known and rng.random() < 0.8 else str(rng.randint(1, 9))
        lines.append(f"v{i}{rng.choice('abc')} = {value}")
    return "\n".join(lines) + "\n"


def check_assignments(text: str) -> None:
    known = set()
    for line in text.split("\n")[:-1]:
        found = matches(r"(v\d+[abc]) = (?:(v\w+) \+ )?\d", line)
        assert found[2] is None or found[2] in known
        known.add(found[1])


def until_end_word(rng: Random) -> str:
    return "".join(f"{rng.randint(1, 9)} {rng.randint(1, 9)}\n" for _ in range(30)) + "END\n"


def check_until_end_word(text: str) -> None:
    *lines, last = text.split("\n")[:-1]
    assert last == "END"
    for line in lines:
        matches(r"[1-9] [1-9]", line)


def until_minus_one(rng: Random) -> str:
    return "".join(f"{rng.randint(1, 99)}\n" for _ in range(40)) + "-1\n"


def check_until_minus_one(text: str) -> None:
    *lines, last = text.split("\n")[:-1]
    assert last == "-1"
    within([int(line) for line in lines], 1, 99)


def prose(rng: Random) -> str:
    words = ["the", "cat", "sat", "on", "a", "mat", "and", "slept", "until", "noon", "when", "birds", "sang"]
    return "".join(" ".join(rng.choices(words, k=rng.randint(5, 12))).capitalize() + ".\n" for _ in range(30))


def check_prose(text: str) -> None:
    for line in text.split("\n")[:-1]:
        assert all(word.strip(".").isalpha() for word in line.split(" ")), line


def hex_words(rng: Random) -> str:
    return "".join(f"{rng.randrange(16**8):08x} {rng.choice('rw')}\n" for _ in range(40))


def check_hex_words(text: str) -> None:
    for line in text.split("\n")[:-1]:
        matches(r"[0-9a-f]{8} [rw]", line)


def floats(rng: Random) -> str:
    return "".join(f"{rng.uniform(-9, 9):.3f} {rng.uniform(0, 1):.1f}\n" for _ in range(40))


def check_floats(text: str) -> None:
    for line in text.split("\n")[:-1]:
        found = matches(r"(-?\d\.\d{3}) ([01]\.\d)", line)
        assert abs(float(found[1])) <= 9
        assert float(found[2]) <= 1


def dates(rng: Random) -> str:
    days = [date(2020, 1, 1) + timedelta(rng.randint(0, 1500)) for _ in range(40)]
    return "".join(f"{day} {rng.randint(1, 9)}\n" for day in days)


def check_dates(text: str) -> None:
    for line in text.split("\n")[:-1]:
        day, level = line.split(" ")
        date.fromisoformat(day)
        within([int(level)], 1, 9)


def declared_names(rng: Random) -> str:
    lines = [f"node {name} {rng.randint(1, 9)}" for name in NAMES[: rng.randint(4, 8)]]
    known = [line.split()[1] for line in lines]
    lines += [f"link {rng.choice(known)} {rng.choice(known)}" for _ in range(30)]
    return "\n".join(lines) + "\n"


def check_declared_names(text: str) -> None:
    known = set()
    for line in text.split("\n")[:-1]:
        found = matches(r"(?:node ([a-z]+) [1-9])|(?:link ([a-z]+) ([a-z]+))", line)
        if found[1]:
            assert found[1] not in known
            known.add(found[1])
        else:
            assert {found[2], found[3]} <= known


def padded(rng: Random) -> str:
    return "".join(f"{rng.randint(0, 999):05} {rng.choice('AB')}{rng.randint(0, 99):02}\n" for _ in range(30))


def check_padded(text: str) -> None:
    for line in text.split("\n")[:-1]:
        matches(r"00\d{3} [AB]\d\d", line)


def long_numbers(rng: Random) -> str:
    return "".join(
        f"{rng.randrange(10**30, 10**40)} {rng.choice('+*')} {rng.randrange(10**20, 10**30)}\n" for _ in range(20)
    )


def check_long_numbers(text: str) -> None:
    for line in text.split("\n")[:-1]:
        matches(r"[1-9]\d{30,40} [+*] [1-9]\d{20,29}", line)


def tagged_lists(rng: Random) -> str:
    rows = [rng.sample(range(300), rng.randint(3, 12)) for _ in range(30)]
    return "".join(
        f"doc{i:03} " + " ".join(f"w{w}:{rng.randint(1, 5)}" for w in row) + "\n" for i, row in enumerate(rows)
    )


def check_tagged_lists(text: str) -> None:
    for line in text.split("\n")[:-1]:
        matches(r"doc\d{3}( w\d+:[1-5])*", line)


def binary_rows(rng: Random) -> str:
    w = rng.randint(8, 16)
    return "".join("".join(rng.choices("01", k=w)) + "\n" for _ in range(rng.randint(8, 16)))


def check_binary_rows(text: str) -> None:
    lines = text.split("\n")[:-1]
    assert len({len(line) for line in lines}) <= 1
    assert set("".join(lines)) <= {"0", "1"}
