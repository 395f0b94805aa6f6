"""Formats in which numbers announce how much follows; each a generator and a strict check."""

from __future__ import annotations

from random import Random

from tests.format.reader import Reader, within


def _words(rng: Random, many: int) -> list[str]:
    return ["".join(rng.choices("abcdefgh", k=rng.randint(3, 9))) for _ in range(many)]


def _row(values: list[int]) -> str:
    return " ".join(map(str, values))


def values_by_line(rng: Random) -> str:
    n = rng.randint(20, 60)
    return f"{n}\n" + "".join(f"{rng.randint(-500, 500)}\n" for _ in range(n))


def check_values_by_line(text: str) -> None:
    read = Reader(text)
    within([read.int() for _ in range(read.int())], -500, 500)
    read.end()


def values_on_a_line(rng: Random) -> str:
    n = rng.randint(20, 60)
    return f"{n}\n{_row([rng.randint(1, 99) for _ in range(n)])}\n"


def check_values_on_a_line(text: str) -> None:
    read = Reader(text)
    n = read.int()
    within(read.ints(n), 1, 99)
    read.end()


def window(rng: Random) -> str:
    n = rng.randint(20, 60)
    return f"{n} {rng.randint(2, n // 2)}\n{_row([rng.randint(1, 999) for _ in range(n)])}\n"


def check_window(text: str) -> None:
    read = Reader(text)
    n, k = read.ints(2)
    assert 1 <= k <= max(1, n)
    within(read.ints(n), 1, 999)
    read.end()


def edges(rng: Random) -> str:
    n, m = rng.randint(15, 30), rng.randint(40, 80)
    pairs = set[tuple[int, int]]()
    while len(pairs) < m:
        a, b = rng.sample(range(1, n + 1), 2)
        if (b, a) not in pairs:
            pairs.add((a, b))
    return f"{n} {m}\n" + "".join(f"{a} {b} {rng.randint(1, 100)}\n" for a, b in pairs)


def check_edges(text: str) -> None:
    read = Reader(text)
    n, m = read.ints(2)
    seen = set[frozenset[int]]()
    for _ in range(m):
        a, b, weight = read.ints(3)
        within([a, b], 1, n)
        within([weight], 1, 100)
        assert a != b
        assert frozenset((a, b)) not in seen
        seen.add(frozenset((a, b)))
    read.end()


def tree(rng: Random) -> str:
    n = rng.randint(20, 50)
    names = rng.sample(range(1, n + 1), n)
    rows = [(names[rng.randrange(i)], names[i]) for i in range(1, n)]
    return f"{n}\n" + "".join(f"{a} {b}\n" for a, b in rows)


def check_tree(text: str) -> None:
    read = Reader(text)
    n = read.int()
    root = list(range(n + 1))

    def find(x: int) -> int:
        while root[x] != x:
            x = root[x]
        return x

    for _ in range(n - 1):
        a, b = read.ints(2)
        within([a, b], 1, n)
        assert find(a) != find(b)
        root[find(a)] = find(b)
    read.end()


def three_counts(rng: Random) -> str:
    n, m, q = rng.randint(10, 20), rng.randint(21, 40), rng.randint(5, 9)
    names = list(dict.fromkeys(_words(rng, n + 20)))[:n]
    lines = [f"{n} {m} {q}", *names, *(f"{rng.randint(0, n - 1)} {rng.randint(0, n - 1)}" for _ in range(m))]
    lines += [f"{rng.choice('+-')} {rng.uniform(0, 9):.2f}" for _ in range(q)]
    return "\n".join(lines) + "\n"


def check_three_counts(text: str) -> None:
    read = Reader(text)
    n, m, q = read.ints(3)
    names = [read.words(1)[0] for _ in range(n)]
    assert len(set(names)) == n
    for _ in range(m):
        within(read.ints(2), 0, max(0, n - 1))
    for _ in range(q):
        sign, value = read.words(2)
        assert sign in "+-"
        assert len(value.partition(".")[2]) == 2
        assert 0 <= float(value) <= 9
    read.end()


def sections(rng: Random) -> str:
    first = [f"{rng.randint(1, 99)} {rng.randint(1, 99)}" for _ in range(rng.randint(10, 30))]
    second = [f"{word} {rng.randint(1, 5)}" for word in _words(rng, rng.randint(10, 30))]
    third = [rng.choice("xyz") for _ in range(rng.randint(10, 30))]
    return "".join(f"{len(part)}\n" + "\n".join(part) + "\n" for part in (first, second, third))


def check_sections(text: str) -> None:
    read = Reader(text)
    for _ in range(read.int()):
        within(read.ints(2), 1, 99)
    for _ in range(read.int()):
        word, level = read.words(2)
        assert word.isalpha()
        within([int(level)], 1, 5)
    for _ in range(read.int()):
        assert read.line() in set("xyz")
    read.end()


def cases(rng: Random) -> str:
    made = [[rng.randint(-9, 9) for _ in range(rng.randint(1, 12))] for _ in range(rng.randint(8, 20))]
    return f"{len(made)}\n" + "".join(f"{len(row)}\n{_row(row)}\n" for row in made)


def check_cases(text: str) -> None:
    read = Reader(text)
    for _ in range(read.int()):
        within(read.ints(read.int()), -9, 9)
    read.end()


def graph_cases(rng: Random) -> str:
    lines = [str(rng.randint(5, 9))]
    for _ in range(int(lines[0])):
        n, m = rng.randint(3, 9), rng.randint(2, 14)
        lines += [f"{n} {m}", *(f"{rng.randint(1, n)} {rng.randint(1, n)}" for _ in range(m))]
    return "\n".join(lines) + "\n"


def check_graph_cases(text: str) -> None:
    read = Reader(text)
    for _ in range(read.int()):
        n, m = read.ints(2)
        for _ in range(m):
            within(read.ints(2), 1, n)
    read.end()


def lists_by_line(rng: Random) -> str:
    rows = [[rng.randint(0, 50) for _ in range(rng.randint(1, 9))] for _ in range(rng.randint(15, 30))]
    return f"{len(rows)}\n" + "".join(f"{len(row)} {_row(row)}\n" for row in rows)


def check_lists_by_line(text: str) -> None:
    read = Reader(text)
    for _ in range(read.int()):
        k, *row = read.ints()
        assert len(row) == k
        within(row, 0, 50)
    read.end()


def character_grid(rng: Random) -> str:
    h, w = rng.randint(6, 12), rng.randint(13, 25)
    return f"{h} {w}\n" + "".join("".join(rng.choices(".#", [3, 1], k=w)) + "\n" for _ in range(h))


def check_character_grid(text: str) -> None:
    read = Reader(text)
    h, w = read.ints(2)
    for _ in range(h):
        line = read.line()
        assert len(line) == w
        assert set(line) <= set(".#")
    read.end()


def maze(rng: Random) -> str:
    h, w = rng.randint(8, 14), rng.randint(8, 14)
    rows = [["#", *rng.choices(".#", [4, 1], k=w - 2), "#"] for _ in range(h)]
    rows[0] = rows[-1] = ["#"] * w
    inner = [(i, j) for i in range(1, h - 1) for j in range(1, w - 1)]
    for mark, (i, j) in zip("SE", rng.sample(inner, 2), strict=True):
        rows[i][j] = mark
    return "".join("".join(row) + "\n" for row in rows)


def check_maze(text: str) -> None:
    rows = text.split("\n")[:-1]
    assert len({len(row) for row in rows}) == 1
    assert set(rows[0] + rows[-1]) == {"#"}
    assert all(row[0] == row[-1] == "#" for row in rows)
    assert text.count("S") == text.count("E") == 1
    assert set(text) <= set(".#SE\n")


def matrix(rng: Random) -> str:
    h, w = rng.randint(6, 12), rng.randint(13, 20)
    return f"{h} {w}\n" + "".join(_row([rng.randint(0, 255) for _ in range(w)]) + "\n" for _ in range(h))


def check_matrix(text: str) -> None:
    read = Reader(text)
    h, w = read.ints(2)
    for _ in range(h):
        within(read.ints(w), 0, 255)
    read.end()


def distances(rng: Random) -> str:
    n = rng.randint(6, 12)
    table = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            table[i][j] = table[j][i] = rng.randint(1, 99)
    return f"{n}\n" + "".join(_row(row) + "\n" for row in table)


def check_distances(text: str) -> None:
    read = Reader(text)
    n = read.int()
    table = [read.ints(n) for _ in range(n)]
    read.end()
    for i in range(n):
        assert table[i][i] == 0
        for j in range(i):
            assert table[i][j] == table[j][i]
            within([table[i][j]], 1, 99)


def permutation(rng: Random) -> str:
    n = rng.randint(15, 40)
    return f"{n}\n{_row(rng.sample(range(1, n + 1), n))}\n"


def check_permutation(text: str) -> None:
    read = Reader(text)
    n = read.int()
    assert sorted(read.ints(n)) == list(range(1, n + 1))
    read.end()


def sorted_and_queries(rng: Random) -> str:
    values = sorted(rng.sample(range(1000), rng.randint(20, 50)))
    queries = [rng.randint(0, 999) for _ in range(rng.randint(5, 15))]
    return f"{len(values)} {len(queries)}\n{_row(values)}\n" + "".join(f"{q}\n" for q in queries)


def check_sorted_and_queries(text: str) -> None:
    read = Reader(text)
    n, q = read.ints(2)
    values = read.ints(n)
    assert values == sorted(values)
    within([read.int() for _ in range(q)], 0, 999)
    read.end()


def records_of_two_lines(rng: Random) -> str:
    lines = [str(rng.randint(8, 15))]
    for word in _words(rng, int(lines[0])):
        row = [rng.randint(1, 9) for _ in range(rng.randint(2, 6))]
        lines += [f"{word} {len(row)}", _row(row)]
    return "\n".join(lines) + "\n"


def check_records_of_two_lines(text: str) -> None:
    read = Reader(text)
    for _ in range(read.int()):
        word, many = read.words(2)
        assert word.isalpha()
        within(read.ints(int(many)), 1, 9)
    read.end()


def cases_until_zero(rng: Random) -> str:
    lines = []
    for _ in range(rng.randint(6, 10)):
        n = rng.randint(2, 8)
        lines += [str(n), *(f"{rng.randint(1, 50)} {rng.randint(1, 50)}" for _ in range(n))]
    return "\n".join([*lines, "0"]) + "\n"


def check_cases_until_zero(text: str) -> None:
    read = Reader(text)
    while n := read.int():
        for _ in range(n):
            within(read.ints(2), 1, 50)
    read.end()


def nested(rng: Random) -> str:
    lines = [str(rng.randint(4, 8))]
    for _ in range(int(lines[0])):
        lines.append(str(rng.randint(2, 4)))
        for _ in range(int(lines[-1])):
            k = rng.randint(1, 4)
            lines += [str(k), *(f"{word} {rng.randint(0, 9)}" for word in _words(rng, k))]
    return "\n".join(lines) + "\n"


def check_nested(text: str) -> None:
    read = Reader(text)
    for _ in range(read.int()):
        for _ in range(read.int()):
            for _ in range(read.int()):
                word, level = read.words(2)
                assert word.isalpha()
                within([int(level)], 0, 9)
    read.end()


def wrapped(rng: Random) -> str:
    values = [str(rng.randint(100, 999)) for _ in range(rng.randint(45, 68))]
    rows = [" ".join(values[i : i + 10]) for i in range(0, len(values), 10)]
    return f"{len(values)}\n" + "\n".join(rows) + "\n"


def check_wrapped(text: str) -> None:
    n, *values = map(int, text.split())
    assert len(values) == n
    within(values, 100, 999)
