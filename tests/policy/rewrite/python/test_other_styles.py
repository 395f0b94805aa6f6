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
    "extend-for-sum": (
        """
def total(items):
    found = 0
    for item in items:
        found += len(item)
    return found


def main():
    for turn in range(3):
        names = []
        for i in range(turn):
            names = names + [str(i) + "x" for _ in range(i)]
        print(total(names))


main()
""",
        "names += [",
    ),
    "lookup-for-scan": (
        """
accounts = []


def balance(owner):
    return sum([each["amount"] for each in accounts if each["owner"] == owner])


for i in range(6):
    accounts.append({"owner": "ab"[i % 2], "amount": i})
    accounts[0]["amount"] += 1
    print(balance("a"))
""",
        "with_key(accounts, owner)",
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
    "prefix-sums": (
        """
def main():
    heights = [int(each) for each in "5 3 8 1 9".split()]
    for first in range(5):
        for last in range(first, 5):
            print(sum(heights[i] for i in range(first, last + 1)))


main()
""",
        "between(sums, first, last + 1)",
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
    "running-total": (
        """
def peaks(values):
    seen = []
    found = 0
    for value in values:
        if seen and value > max(seen):
            found += 1
        seen.append(value)
    return found


print(peaks([1, 3, 2, 5]))
""",
        "seen_max",
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
    "product-for-loop": (
        """
def multiplied(a, b):
    n = len(a)
    rows = []
    for i in range(n):
        row = []
        for j in range(n):
            cell = 0
            for k in range(n):
                cell += a[i][k] * b[k][j]
            row.append(cell)
        rows.append(row)
    return rows


print(multiplied([[1, 2], [3, 4]], [[5, 6], [7, 8]]))
""",
        "sum(map(mul, a[i][:n], [row2[j] for row2 in b[:n]]))",
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
    "sort-by-hand": (
        """
def arrange(people):
    for i in range(len(people)):
        for j in range(0, len(people) - 1):
            if people[j]["age"] < people[j + 1]["age"]:
                kept = people[j]
                people[j] = people[j + 1]
                people[j + 1] = kept


crowd = [{"age": 3, "name": "a"}, {"age": 9, "name": "b"}, {"age": 3, "name": "c"}]
arrange(crowd)
print(crowd)
""",
        'people.sort(key=lambda item: item[\'age\'], reverse=True)',
    ),
    "heap-for-least": (
        """
class Task:
    def __init__(self, due, label):
        self.due = due
        self.label = label


tasks = [Task(5, "e"), Task(1, "a"), Task(5, "f")]
while len(tasks) > 0:
    task = min(tasks, key=lambda each: each.due)
    tasks.remove(task)
    print(task.due, task.label)
    if task.due < 5:
        tasks.append(Task(task.due + 3, task.label + "'"))
""",
        "heapq.heappop(tasks)[2]",
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
    "direct-equality": (
        """
import dataclasses


@dataclasses.dataclass
class Card:
    suit: str
    rank: int = 0


hand = [Card("h", 1), Card("s", 2)]
print(Card("s", 2) in hand, Card("s", 3) in hand, Card("s") == 3)
""",
        "self.suit == other.suit and self.rank == other.rank",
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
    "modular-power": (
        "p = 1009\nfor k in range(3):\n    n = k + 5\n    print(pow(n, k) % p, (n ** 2) % p)\n",
        "pow(n, k, p)",
    ),
    "in-for-search": (
        "def has(text, part):\n    return text.find(part) >= 0\n\n\nprint(has('abc', 'b'), has('abc', 'd'))\n",
        "part in text",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STYLES)
def test_another_style_is_seen_and_prints_the_same(name: str) -> None:
    code, expected = STYLES[name]
    changed = rewritten(name, code)
    assert expected in changed, changed
    assert output(changed, Language.PYTHON) == output(code, Language.PYTHON)
