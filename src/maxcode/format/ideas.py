"""Ideas for new inputs: small to large, each with something special."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from maxcode.format.idea import InputIdea
from maxcode.format.infer_structure import slots_of
from maxcode.format.make import made, texts_of
from maxcode.format.model import Cases, InputModel, NewInput, Part, Rows, lines_of, render

COLUMNS = 6
NAMED = 9
LARGEST = 4_000_000
"""Bytes up to which inputs larger than the given one are tried."""
LIST = 50
"""Number of lines of one shape from which the first is taken for one of them, even if it is a number."""
WORDS = (31, 32, 63, 64, 127, 128)
"""Sizes of machine words and vectors, and one less."""
_TIED = ((60, "ties", "ties", "", 0), (60, "near ties", "near", "up", 0))
"""Ideas for a column: number of records, name, values, order of the rows, and distance to the column that sorts
them."""
_SORTED = (
    (30, "one value", "one", "down", 1),
    (60, "falling", "keep", "down", 0),
    (30, "largest", "max", "", 0),
    (15, "ties", "ties", "", 0),
)


def tests(format: InputModel, rng: random.Random) -> Iterator[NewInput]:
    """Inputs small to large, without repetitions and without the given ones."""
    if not format.nodes:
        return
    given = {hash(text) for text in _given(format)}
    for each in texts_of(_all(format, rng)):
        if hash(each.text) not in given:
            yield each


def alike(format: InputModel, rng: random.Random) -> Iterator[NewInput]:
    """Inputs about as large as the given one, of about the same work, with other values and in another order."""
    if not format.nodes:
        return
    ideas = [
        InputIdea("other order"),
        InputIdea("other values", values="fresh", changed=0.3),
        InputIdea("a little shorter", share=0.97),
        InputIdea("a little shorter, other values", share=0.95, values="fresh", changed=0.2),
        InputIdea("other values everywhere", values="fresh"),
        InputIdea("the beginning", share=0.96, rows="first"),
    ]
    given = {hash(text) for text in _given(format)}

    def endless() -> Iterator[NewInput]:
        for turn in range(24):
            idea = ideas[turn % len(ideas)]
            share = idea.share - 0.01 * (turn // len(ideas)) if idea.share < 1 else 1.0
            each = made(format, replace(idea, share=share), rng, turn % len(format.given))
            if each is not None:
                yield each

    for each in texts_of(endless()):
        if hash(each.text) not in given:
            yield each


def shortened(format: InputModel, share: float) -> str | None:
    """Beginning of the given input, its counts corrected; None where it is not clear how to cut it.

    That is so with a number at its head that announces nothing and could mean anything, except of a long list of such
    lines.
    """
    if not format.nodes:
        return None
    headed = re.match(r"\s*[-+.\d]", next(lines_of(format.given[0]), "")) and not _is_list(format.given[0])
    listed = any(model.lengths for model in format.lines.values())
    if not slots_of(format.nodes) and not listed and (headed or not any(_is_open(part) for part in format.given[0])):
        return None
    each = made(format, InputIdea("the beginning", share=share, rows="first"), random.Random(0))
    whole = next(_given(format))
    return each.text if each is not None and each.text and len(each.text) < len(whole) else None


def longer(format: InputModel, factor: float, rng: random.Random) -> str | None:
    """Input with that many times the records of the first given one; None where nothing says how to make more."""
    if not format.nodes:
        return None
    each = made(format, InputIdea("longer", share=factor), rng)
    return each.text if each is not None and len(each.text) > 1.5 * len(next(_given(format))) else None


def _is_list(given: Sequence[Part]) -> bool:
    """True if the first line begins a list so long that it hardly is a number about the others."""
    return _is_open(given[0]) and sum(1 for _ in lines_of(given)) >= LIST


def _is_open(part: Part) -> bool:
    return isinstance(part, Rows | Cases) and part.node.count is None


def _given(format: InputModel) -> Iterator[str]:
    for parts in format.given:
        text = render(parts, format.ending)
        yield text if format.final else text.removesuffix(format.ending)


def _all(format: InputModel, rng: random.Random) -> Iterator[NewInput]:
    if not format.counts and not format.scalars:  # else there is at least a line with numbers
        yield NewInput("", "nothing")
    for idea in _ideas(format):
        for given in range(min(2, len(format.given))):
            each = made(format, idea, rng, given)
            if each is not None:
                yield each


def _ideas(format: InputModel) -> Iterator[InputIdea]:
    """All ideas, the cheapest first, with large ones in between: there may be no time for all."""
    yield from _smallest(format)
    yield from _small_numbers(format)
    yield from _medium(format)
    yield from _word_sizes(format)
    yield from _mixed()
    yield from _by_column(format, _TIED)
    yield from _named_sizes(format)
    yield from _large(format)
    yield from _by_column(format, _SORTED)
    yield from _repetitions()
    yield from _sizes(format)


def _smallest(format: InputModel) -> Iterator[InputIdea]:
    for empty in range(min(3, len(format.counts))):
        yield InputIdea("an empty section", size=3, empty=empty)
    yield InputIdea("no records", size=0)
    yield InputIdea("one record", size=1, rows="first")
    yield InputIdea("one record, other values", size=1, values="fresh")
    for size in (2, 3):
        yield InputIdea(f"{size} records", size=size)
    for only in range(_types(format)):
        for size in (1, 2, 9):
            yield InputIdea(f"{size} records of type {only + 1} only", size=size, only=only, values="ties")
    yield InputIdea("5 records, other values", size=5, values="fresh")
    yield InputIdea("8 records, ties", size=8, values="ties", numbers="scaled")
    for size in (2, 3, 4, 6, 9) if format.scalars else ():
        yield InputIdea(f"{size} records, smaller numbers in the header", size=size, values="fresh", numbers="scaled")


def _small_numbers(format: InputModel) -> Iterator[InputIdea]:
    """Ideas with everything close to its least: what is rare among large numbers, such as an exact fit, is common
    here."""
    for size in (2, 3, 4, 5, 5, 6, 7, 8, 9, 12, 16):
        yield InputIdea(f"{size} records, small numbers", size=size, values="small", numbers="small")
    for size in (20, 40, 60):
        yield InputIdea(f"{size} records of a few values", size=size, values="few", numbers="small")
        yield InputIdea(f"{size} records of other few values", size=size, values="few", numbers="some")
    yield InputIdea("200 records of dozens of values", size=200, values="dozens", numbers="small")
    for number in (0, 1, *WORDS) if format.scalars else ():
        yield InputIdea(f"{number} in the header", size=4 if number < 9 else 12, values="small", number=number)
    if any(record.tail for model in format.lines.values() for record in model.records.values()):
        yield InputIdea("empty lists", size=5, unlisted=True)
        yield InputIdea("one record with an empty list", size=1, unlisted=True)


def _mixed() -> Iterator[InputIdea]:
    """More ideas that are small and cheap: mistakes at the edges show in few of them."""
    for size, values in product((4, 7, 11, 24), ("near", "small", "few", "equal", "ends")):
        yield InputIdea(f"{size} records, {values} values", size=size, values=values, numbers="small", varied=size > 7)


def _named_sizes(format: InputModel) -> Iterator[InputIdea]:
    """Ideas with as many records as the program's text names, and one more or less."""
    sizes = [size for size in format.named if 3 < size <= min(300, format.largest)]
    for size in sizes[:: max(1, len(sizes) // NAMED)]:
        yield InputIdea(f"{size} records as named", size=size, values="few" if size % 2 else "keep", numbers="some")


def _medium(format: InputModel) -> Iterator[InputIdea]:
    if len(format.counts) > 1:
        yield InputIdea("counts of different sizes", size=6, varied=True, values="fresh")
    if format.scalars:
        yield InputIdea("other numbers in the header", size=8, numbers="some", values="fresh")
        yield InputIdea("20 records, smaller numbers in the header", size=20, numbers="scaled")
    yield InputIdea("all smallest", size=12, values="min")
    yield InputIdea("12 records, all largest", size=12, values="max")
    yield InputIdea("one value", size=12, values="one", numbers="scaled")
    yield InputIdea("one record many times", size=7, rows="one", numbers="scaled")
    yield InputIdea("equal columns", size=12, values="equal", numbers="scaled")
    yield InputIdea("largest next to smallest", size=25, values="ends")
    yield InputIdea("values that differ by one", size=25, values="near", numbers="scaled")
    yield InputIdea("more records with ties", size=40, values="ties", varied=True, numbers="scaled")


def _large(format: InputModel) -> Iterator[InputIdea]:
    yield InputIdea("all largest at full size", values="max")
    for share, values in ((2.0, "keep"), (4.0, "max")):
        if _bytes(format) * share ** (2 if _is_wide(format) else 1) <= LARGEST:
            yield InputIdea(f"{share:g} times the records, {values}", share=share, values=values)
    yield InputIdea("other values", values="fresh")
    yield InputIdea("a quarter of the records, ties", share=0.25, values="ties")


def _bytes(format: InputModel) -> int:
    return max(sum(len(line) + 1 for line in lines_of(parts)) for parts in format.given)


def _is_wide(format: InputModel) -> bool:
    """True if lines become longer with the number of records too."""
    return any(model.lengths or model.grid for model in format.lines.values())


def _by_column(format: InputModel, some: tuple[tuple[int, str, str, str, int], ...]) -> Iterator[InputIdea]:
    """Ideas with something special in one column, rows sorted by it or by the next one."""
    for size, name, values, order, by in some:
        for c in _columns(format):
            named = f"{size} records, {name} in column {c + 1}"
            yield InputIdea(named, size=size, values=values, column=c, numbers="scaled", order=order, by=c + by)


def _repetitions() -> Iterator[InputIdea]:
    yield InputIdea("each record twice", size=40, rows="pairs")
    yield InputIdea("three records many times", size=60, rows="few")
    yield InputIdea("one record very many times", size=300, rows="one")
    yield InputIdea("a tenth, largest next to smallest", share=0.1, values="ends")
    yield InputIdea("a tenth, values that differ by one", share=0.1, values="near")


def _sizes(format: InputModel) -> Iterator[InputIdea]:
    largest = format.largest
    for size, values in ((31, "keep"), (65, "fresh"), (129, "fresh"), (257, "keep"), (400, "near")):
        if size < largest:
            yield InputIdea(f"{size} records", size=size, values=values, varied=values == "fresh", numbers="some")
            yield InputIdea(f"the first {size} records", size=size, rows="first")
    yield InputIdea("10% of the records", share=0.1)
    yield InputIdea("other order")


def _word_sizes(format: InputModel) -> Iterator[InputIdea]:
    """Ideas with widths around those of machine words and vectors."""
    if _is_wide(format):
        for width in (8, *WORDS, 65, 129):
            yield InputIdea(f"{width} wide", size=width % 5 + 3, width=width, values="fresh", numbers="some")


def _types(format: InputModel) -> int:
    """Number of types of lines that are told apart by their first word, COLUMNS at most; 0 if there is one."""
    many = max((len(model.records) for model in format.lines.values()), default=0)
    return min(COLUMNS, many) if many > 1 else 0


def _columns(format: InputModel) -> list[int]:
    """Columns whose values may be changed in some type of lines, and the place after the last for lists."""
    records = [record for model in format.lines.values() for record in model.records.values()]
    found = {place for record in records for place, field in enumerate(record.fields) if field.free}
    found |= {len(record.fields) for record in records if record.tail}
    return sorted(found)[:COLUMNS]
