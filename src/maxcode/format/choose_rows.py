"""Which of the lines seen a new section is made of, in an order that shows the same pattern."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from maxcode.format.idea import InputIdea
from maxcode.format.make_values import NoSuchInput
from maxcode.format.model import Lines


def chosen(model: Lines, given: Sequence[str], size: int, idea: InputIdea, rng: random.Random) -> list[str]:
    """Lines chosen from those seen, as many as wanted, in an order that shows the same pattern."""
    many = len(given)
    if size == 0:
        return []
    if not many:
        raise NoSuchInput
    if model.order == "kept" and size > many:
        raise NoSuchInput
    if idea.rows == "first" or model.order == "kept":
        picked = list(range(min(size, many)))
    elif idea.rows == "one" and not (model.how is None and model.unique):
        picked = [rng.randrange(many)] * size
    elif idea.rows in ("few", "pairs") and not (model.how is None and model.unique):
        picked = _repeated(many, size, idea, rng)
    elif size <= many:
        picked = rng.sample(range(many), size)
    else:
        picked = [*range(many)]
    if size > len(picked):
        if model.how is None and model.unique:
            raise NoSuchInput
        picked += rng.choices(range(many), k=size - len(picked))
    if model.order == "sorted":
        picked.sort()
    rows = [given[i] for i in picked]
    if model.balance and idea.rows != "first":
        rows = _balanced(model, given, rows, rng)
    return _in_blocks(model, given, rows) if model.blocks and rows else rows


def _balanced(model: Lines, given: Sequence[str], rows: list[str], rng: random.Random) -> list[str]:
    """The rows in an order in which no word comes too early; those for which there is no place become others."""
    level: Counter[str] = Counter()
    firsts = [line for line in given[:1000] if all(_word(line) != second for _, second in model.balance)]
    placed: list[str] = []

    def place(row: str) -> bool:
        word = _word(row)
        if any(word == second and level[first] <= level[second] for first, second in model.balance):
            return False
        level[word] += 1
        placed.append(row)
        return True

    early = [row for row in rows if not place(row)]
    left = [row for row in early if not place(row)]
    if left and not firsts:
        raise NoSuchInput
    return placed + [rng.choice(firsts) for _ in left]


def _word(line: str) -> str:
    return line.split(None, 1)[0] if line.strip() else ""


def _repeated(many: int, size: int, idea: InputIdea, rng: random.Random) -> list[int]:
    if idea.rows == "pairs":
        return [row for row in rng.choices(range(many), k=size // 2 + 1) for _ in range(2)][:size]
    return rng.choices(rng.sample(range(many), min(many, 3)), k=size)


def _in_blocks(model: Lines, given: Sequence[str], rows: list[str]) -> list[str]:
    """The rows with at least one line of each leading word, in the order of these words."""
    words = [line.split(None, 1)[0] for line in rows]
    missing = [word for word in model.blocks if word not in words]
    firsts = [next(line for line in given if line.split(None, 1)[0] == word) for word in missing]
    rank = {word: place for place, word in enumerate(model.blocks)}
    return sorted([*firsts, *rows][: max(len(rows), len(model.blocks))], key=lambda line: rank[line.split(None, 1)[0]])
