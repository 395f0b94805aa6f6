"""Transformations of Python see programs that differ from their examples, and keep what they print."""

from __future__ import annotations

import pytest

from maxcode.core import Language

from ..programs import output, rewritten

STYLES: dict[str, tuple[str, str]] = {
    "table-for-scan": (
        """
def reached(first, roads):
    seen, waiting = {first}, [first]
    while waiting:
        here = waiting.pop()
        for a, b in roads:
            if a == here and b not in seen:
                seen.add(b)
                waiting.append(b)
            if b == here and a not in seen:
                seen.add(a)
                waiting.append(a)
    return sorted(seen)


print(reached(1, [(1, 2), (3, 2), (4, 5)]))
""",
        "in table.get(here, ())",
    ),
    "translate-for-characters": (
        """
import sys


def coded(message, shift):
    out = []
    for index in range(3):
        for sign in message.lower():
            if "a" <= sign <= "z":
                base = ord("a")
                out.append(chr((ord(sign) - base + shift) % 26 + base))
            elif sign == "-":
                out.append("--")
    return "".join(out)


print(coded("Attack - AT - dawn, %s" % sys.maxsize, 3))
""",
        "out.append(text.translate(table))",
    ),
    "inline-function": (
        """
SCALE = 3


def clamp(value):
    if value > 10:
        return 10
    return value * SCALE


print([clamp(n) for n in range(6)])
""",
        "(10 if n > 10 else n * SCALE)",
    ),
    "guard-at-call": (
        """
def common(text, i, j):
    length = 0
    while j + length < len(text) and text[i + length] == text[j + length]:
        length += 1
    return length


text = "abcabcaab"
print([common(text, i, j) for j in range(9) for i in range(j)])
""",
        "else 0)",
    ),
    "comparison-for-min": (
        """
def nearest(points, x):
    gap = 10 ** 9
    for point in points:
        gap = min(abs(point - x), gap)
    return gap


print(nearest([3, 8, 20], 10))
""",
        "if not gap < value:",
    ),
    "cache-function": (
        """
def weight(row):
    return sum([each * each for each in row])


rows = [[1, 2], [3, 4], [5, 6]]
print(max(weight(a) + weight(b) for a in rows for b in rows))
""",
        "@by_identity",
    ),
    "set-for-membership": (
        """
def unknown(words, known):
    names = list(known)
    return [word for word in words for _ in range(2) if word not in names]


def main():
    stop = ["the", "a"]
    count = 0
    for word in "the cat saw a dog".split():
        if word in stop:
            count += 1
    print(count, unknown(["x", "a"], stop))


main()
""",
        "stop_set = set(stop)",
    ),
    "table-for-count": (
        """
def ranks(scores):
    order = sorted(scores)
    found = []
    for score in scores:
        found.append(order.index(score))
    return found


print(ranks([30, 10, 20]))
""",
        "found.append(places[score])",
    ),
    "range-for-while": (
        """
def digits(text):
    place = 1
    total = 0
    while place <= len(text):
        total = total + int(text[-place]) * place
        place = place + 1
    return total


print(digits("123"))
""",
        "for place in range(1, len(text) + 1):",
    ),
    "break-at-flag": (
        """
def valid(text):
    fine = True
    for position, sign in enumerate(text):
        if sign == "x" and position > 0:
            fine = False
    return fine


print(valid("abx"), valid("x"))
""",
        "break",
    ),
    "local-attribute": (
        """
class Board:
    def __init__(self, width):
        self.width = width
        self.cells = list(range(width * width))

    def total(self, other):
        found = 0
        for y in range(self.width):
            for x in range(self.width):
                found += self.cells[y * self.width + x] * other.width
        return found


print(Board(3).total(Board(2)))
""",
        "width2 = self.width",
    ),
    "deque-for-list": (
        """
def walk(graph, first):
    waiting = [first]
    order = []
    while len(waiting) > 0:
        here = waiting.pop(0)
        if here not in order:
            order.append(here)
            waiting.extend(graph[here])
    return order


print(walk({1: [2, 3], 2: [3], 3: [1]}, 1))
""",
        "waiting.popleft()",
    ),
    "copy-for-deepcopy": (
        """
from copy import deepcopy


def stepped(cells):
    new = deepcopy(cells)
    new[0] = cells[-1]
    return new


print(stepped([1, 0, 1]))
""",
        "new = cells[:]",
    ),
    "repeat-for-comprehension": (
        "n = int('4')\nempty = None\nseats = [empty for seat in range(n + 1)]\nprint(seats)\n",
        "[empty] * (n + 1)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STYLES)
def test_another_style_is_seen_and_prints_the_same(name: str) -> None:
    code, expected = STYLES[name]
    changed = rewritten(name, code)
    assert expected in changed, changed
    assert output(changed, Language.PYTHON) == output(code, Language.PYTHON)
