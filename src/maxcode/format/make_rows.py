"""The lines of a new section: chosen from those seen, values changed, relations kept."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from maxcode.format.choose_rows import chosen
from maxcode.format.idea import InputIdea
from maxcode.format.infer_fields import number
from maxcode.format.make_values import Bounds, NoSuchInput, bounds_of, drawn, series, written
from maxcode.format.model import ColumnPair, Field, Lines, Record, Values

Tokens = list[str]
Draw = Callable[[str], str]
"""Function that returns a value in place of a given one."""


def new_rows(
    model: Lines, given: Sequence[str], size: int, values: Values, idea: InputIdea, rng: random.Random
) -> list[Tokens]:
    """New rows of lines that are understood field by field, as tokens."""
    assert model.how is not None
    split = model.how.split
    if model.matrix and size <= len(given):
        base = _submatrix([split(line) for line in given], size, rng)
    else:
        base = [split(line) for line in chosen(model, _of_type(model, given, idea), size, idea, rng)]
    maker = _Maker(model, values, idea, rng)
    for key, record in model.records.items():
        some = [row for row in base if not key or row[0] == key]
        maker.change(record, some, base if not key else some)
    if model.tree:
        _as_tree(base, model.records[""], rng)
    if model.matrix:
        _as_matrix(base, model.matrix)
    if idea.order and _may_move(model):
        _arrange(model, base, idea)
    return base


def _of_type(model: Lines, given: Sequence[str], idea: InputIdea) -> Sequence[str]:
    """Lines of one type where the idea wants only one, else all."""
    if idea.only is None or len(model.records) < 2:
        return given
    if model.order != "free" or model.blocks or idea.only >= len(model.records):
        raise NoSuchInput
    assert model.how is not None
    word = list(model.records)[idea.only]
    if any(word == second for _, second in model.balance):
        raise NoSuchInput
    return [line for line in given if model.how.split(line)[:1] == [word]]


def _may_move(model: Lines) -> bool:
    """True if rows may stand in any order: no column rises, none numbers them."""
    fields = [field for record in model.records.values() for field in record.fields]
    ordered = any(field.rising or field.sequence for field in fields)
    return model.order == "free" and not ordered and not model.matrix and not model.blocks and not model.balance


def _arrange(model: Lines, rows: list[Tokens], idea: InputIdea) -> None:
    """Sorts rows by a column; by their types, where there are several."""
    if len(model.records) > 1:
        ranks = {word: rank for rank, word in enumerate(model.records)}
        rows.sort(key=lambda row: ranks[row[0]], reverse=idea.order == "down")
        return
    fields = model.records[""].fields
    if fields:
        place = idea.by % len(fields)
        key = _key(fields[place])
        rows.sort(key=lambda row: key(row[place]), reverse=idea.order == "down")


class _Maker:
    def __init__(self, model: Lines, values: Values, idea: InputIdea, rng: random.Random) -> None:
        self.model = model
        self.values = values
        self.idea = idea
        self.rng = rng
        self._draws: list[tuple[Field, Bounds | None, Draw]] = []

    def change(self, record: Record, rows: list[Tokens], section: list[Tokens]) -> None:
        """Changes rows in place; the whole section too, where its order must be restored."""
        before = [list(row) for row in rows]
        limits = [bounds_of(field, self.values) for field in record.fields]
        for place, field in enumerate(record.fields):
            if self._is_open(record, place):
                self._column(field, place, rows, self._draw(field, limits[place]))
        if self.idea.values == "equal":
            self._equal(record, rows)
        if record.tail:
            for number, row in enumerate(rows):
                self._list(record, record.tail, row, empty=self.idea.unlisted and number % 2 == 0)
        self._keep_within(record, rows, limits)
        for row, old in zip(rows, before, strict=True):
            self._keep_pairs(record, row, old, limits)
        for a, b, known in record.determines:
            table = dict(known)
            for row in rows:
                row[b] = table.get(row[a], row[b])
        self._sort(record, section if rows is section else rows)
        self._keep_unique(record, rows, limits)
        for place, field in enumerate(record.fields):
            if field.sequence:
                prefix, start, digits = field.sequence
                for i, row in enumerate(rows):
                    row[place] = prefix + str(start + i).zfill(digits)

    def _equal(self, record: Record, rows: list[Tokens]) -> None:
        """Gives columns of one kind the same value, where it may occur in both."""
        related = {frozenset((pair.a, pair.b)) for pair in record.pairs if pair.relation != "<="}
        for a, left in enumerate(record.fields):
            for b, right in enumerate(record.fields[a + 1 :], a + 1):
                both = self._is_open(record, a) and self._is_open(record, b) and frozenset((a, b)) not in related
                if both and left.kind == right.kind and not left.unique and not right.unique:
                    for row in rows:
                        if _may_hold(right, row[a]):
                            row[b] = row[a]

    def _is_open(self, record: Record, place: int) -> bool:
        field = record.fields[place]
        if place == record.counted_by or not field.free or (self.model.order != "free" and field.rising is None):
            return field.free and place != record.counted_by and field.kind in ("int", "float") and not field.unique
        return not (place == 0 and (len(self.model.records) > 1 or self.model.balance))

    def _draw(self, field: Field, bounds: Bounds | None) -> Draw:
        """Function that draws values for a column.

        Few values are taken from those of an earlier column that holds the same kind.
        """
        own = series(field, self.idea.values, bounds, self.rng)
        if self.idea.column is None and self.idea.values in ("few", "dozens", "near"):
            alike = [draw for other, limits, draw in self._draws if limits == bounds and _are_alike(field, other)]
            if alike:
                return _either(field, alike[0], own)
            self._draws.append((field, bounds, own))
        return own

    def _column(self, field: Field, place: int, rows: list[Tokens], draw: Draw) -> None:
        idea, rng = self.idea, self.rng
        if idea.values in ("keep", "equal") or (idea.column is not None and idea.column != place):
            return
        if field.unique and idea.values != "fresh":
            return
        if field.unique and field.kind in ("token", "word"):
            return
        for row in rows:
            if idea.changed >= 1 or rng.random() < idea.changed:
                row[place] = draw(row[place])

    def _list(self, record: Record, tail: Field, row: Tokens, empty: bool) -> None:
        start = len(record.fields)
        listed = row[start:]
        size = 0 if empty and start and not self.model.lengths else self._length(record, listed)
        bounds = bounds_of(tail, self.values)
        if record.permutation is not None:
            listed = [str(n) for n in self.rng.sample(range(record.permutation, record.permutation + size), size)]
        else:
            listed = self._resized(record, tail, listed, size, bounds)
        if record.counted_by is not None:
            row[record.counted_by] = str(len(listed))
        row[start:] = listed

    def _length(self, record: Record, listed: Tokens) -> int:
        if self.model.lengths:
            return self.model.lengths.value(self.values)
        low, high = record.lengths
        if self.idea.size is not None and high > 2 * self.idea.size + 2:
            return max(low if low < 3 else 1, min(len(listed), self.idea.size))
        return len(listed)

    def _resized(self, record: Record, tail: Field, listed: Tokens, size: int, bounds: Bounds | None) -> Tokens:
        idea, rng = self.idea, self.rng
        whole = idea.column is None or idea.column >= len(record.fields)
        closed = not whole or idea.values == "equal" or (record.distinct_tail and idea.values != "fresh")
        changing = "keep" if closed else idea.values
        made = listed[:size]
        if changing != "keep":
            draw = series(tail, changing, bounds, rng)
            made = [draw(token) if idea.changed >= 1 or rng.random() < idea.changed else token for token in made]
        if size > len(made) and any(piece.kept for piece in tail.pieces):
            raise NoSuchInput
        seen = listed if idea.share > 1 and not record.distinct_tail and not self.model.matrix else []
        made += [rng.choice(seen) if seen else drawn(tail, "fresh", bounds, rng) for _ in range(size - len(made))]
        if bounds:
            made = [
                token if bounds[0] <= int(token) <= bounds[1] else drawn(tail, "fresh", bounds, rng) for token in made
            ]
        if record.distinct_tail:
            made = _distinct(made, lambda: drawn(tail, "fresh", bounds, rng))
        if tail.rising:
            made.sort(
                key=(lambda t: number(tail, t)) if tail.kind in ("int", "float") else None,
                reverse="down" in tail.rising,
            )
        return made

    def _keep_within(self, record: Record, rows: list[Tokens], limits: Sequence[Bounds | None]) -> None:
        for place, bounds in enumerate(limits):
            if bounds:
                for row in rows:
                    if not bounds[0] <= int(row[place]) <= bounds[1]:
                        row[place] = drawn(record.fields[place], "fresh", bounds, self.rng)

    def _keep_pairs(self, record: Record, row: Tokens, old: Tokens, limits: Sequence[Bounds | None]) -> None:
        for pair in record.pairs:
            if not _holds(pair, record, row):
                self._mend(pair, record, row, limits)
        if not all(_holds(pair, record, row) for pair in record.pairs):
            row[:] = old
            if not all(_holds(pair, record, row) for pair in record.pairs) or not _within(row, limits):
                raise NoSuchInput

    def _mend(self, pair: ColumnPair, record: Record, row: Tokens, limits: Sequence[Bounds | None]) -> None:
        a, b = pair.a, pair.b
        left, right = record.fields[a], record.fields[b]
        bounds = limits[b]
        if pair.relation == "!=":
            for _ in range(20):
                if row[a] != row[b]:
                    break
                row[b] = drawn(right, "fresh", bounds, self.rng)
        elif left.kind == "int":
            first, high = int(row[a]), bounds[1] if bounds else int(right.high)
            gap = int(pair.high if self.idea.values == "max" else pair.low)
            if self.idea.values == "fresh":
                gap = self.rng.randint(int(pair.low), int(pair.high))
            last = min(first + gap, high)
            own = limits[a]
            least = own[0] if own else int(left.low)
            row[b] = written(right, last)
            if last - first < pair.low:
                row[a] = written(left, max(last - gap, least))
        elif row[a] > row[b] or left.kind == "float":
            row[a], row[b] = row[b], row[a]

    def _sort(self, record: Record, rows: list[Tokens]) -> None:
        sorted_ones = [(p, f) for p, f in enumerate(record.fields) if f.rising and not f.sequence]
        if self.model.order == "kept" and len(sorted_ones) == 0:
            return
        for turn, (place, field) in enumerate(sorted_ones):
            down = "down" in (field.rising or "")
            key = _key(field)
            if turn == 0 and len(self.model.records) == 1:
                rows.sort(key=lambda row: key(row[place]), reverse=down)
            else:
                column = sorted((row[place] for row in rows), key=key, reverse=down)
                for row, value in zip(rows, column, strict=True):
                    row[place] = value

    def _keep_unique(self, record: Record, rows: list[Tokens], limits: Sequence[Bounds | None]) -> None:
        for place, field in enumerate(record.fields):
            if field.sequence or not (field.unique or "strictly" in (field.rising or "")):
                continue
            column = _distinct([row[place] for row in rows], self._fresh(field, limits[place]))
            if field.rising:
                column.sort(key=_key(field), reverse="down" in field.rising)
            for row, value in zip(rows, column, strict=True):
                row[place] = value
        if record.edges:
            self._keep_edges(record, rows, limits)
        if not all(_holds(pair, record, row) for row in rows for pair in record.pairs):
            raise NoSuchInput

    def _fresh(self, field: Field, bounds: Bounds | None) -> Callable[[], str]:
        return lambda: drawn(field, "fresh", bounds, self.rng)

    def _keep_edges(self, record: Record, rows: list[Tokens], limits: Sequence[Bounds | None]) -> None:
        seen: set[frozenset[str]] = set()
        for row in rows:
            for _ in range(50):
                if frozenset(row[:2]) not in seen and all(_holds(pair, record, row) for pair in record.pairs):
                    break
                for place in (0, 1):
                    row[place] = drawn(record.fields[place], "fresh", limits[place], self.rng)
                for pair in record.pairs:
                    if not _holds(pair, record, row):
                        self._mend(pair, record, row, limits)
            else:
                raise NoSuchInput
            seen.add(frozenset(row[:2]))


def _either(field: Field, draw: Draw, own: Draw) -> Draw:
    """Function that draws values of another column, where this one may hold them."""
    if field.kind in ("word", "token"):
        return draw
    return lambda token: value if _may_hold(field, value := draw(token)) else own(token)


def _are_alike(a: Field, b: Field) -> bool:
    """True if two columns hold the same kind of thing: numbers of one range, or many of the same names."""
    if a.kind != b.kind or a.unique or b.unique:
        return False
    if a.kind in ("int", "float"):
        return min(a.high, b.high) - max(a.low, b.low) > 0.5 * max(a.high - a.low, b.high - b.low)
    return a.kind == "digits" or 10 * len(set(a.pool) & set(b.pool)) > min(len(a.pool), len(b.pool))


def _may_hold(field: Field, value: str) -> bool:
    if field.kind == "int" and not field.closed:
        return field.low <= number(field, value) <= field.high
    if field.kind == "digits":
        return min(map(len, field.pool)) <= len(value) <= max(map(len, field.pool))
    return value in field.pool


def _key(field: Field) -> Callable[[str], float] | Callable[[str], str]:
    if field.kind in ("int", "float"):
        return lambda value: number(field, value)
    return lambda value: value


def _holds(pair: ColumnPair, record: Record, row: Tokens) -> bool:
    if pair.relation == "!=":
        return row[pair.a] != row[pair.b]
    field = record.fields[pair.a]
    if field.kind not in ("int", "float"):
        return row[pair.a] < row[pair.b] or (pair.relation == "<=" and row[pair.a] == row[pair.b])
    gap = number(record.fields[pair.b], row[pair.b]) - number(field, row[pair.a])
    return pair.low <= gap <= pair.high or (gap >= 0 and field.kind == "float" and pair.relation == "<=")


def _within(row: Tokens, limits: Sequence[Bounds | None]) -> bool:
    return all(not b or b[0] <= int(row[place]) <= b[1] for place, b in enumerate(limits))


def _distinct(column: list[str], fresh: Callable[[], str]) -> list[str]:
    """The column with repeated values replaced by others."""
    seen: set[str] = set()
    for place, value in enumerate(column):
        tries = 0
        while value in seen:
            value = fresh()
            tries += 1
            if tries > 200:
                raise NoSuchInput
        seen.add(value)
        column[place] = value
    return column


def _as_tree(rows: list[Tokens], record: Record, rng: random.Random) -> None:
    """Turns the rows into the edges of a random tree."""
    index = record.fields[0].index
    assert index is not None
    first = min(index.low, *(f.index.low for f in record.fields[:2] if f.index))
    names = list(range(first, first + len(rows) + 1))
    ordered = any(pair.relation in ("<", "<=") and (pair.a, pair.b) == (0, 1) for pair in record.pairs)
    if not ordered:
        rng.shuffle(names)
    for place, row in enumerate(rows):
        row[0], row[1] = str(names[rng.randint(0, place)]), str(names[place + 1])
        if not ordered and rng.random() < 0.5:
            row[0], row[1] = row[1], row[0]


def _submatrix(rows: list[Tokens], size: int, rng: random.Random) -> list[Tokens]:
    """Submatrix of a square, with the same rows and columns."""
    picked = rng.sample(range(len(rows)), size)
    return [[rows[i][j] for j in picked] for i in picked]


def _as_matrix(rows: list[Tokens], what: str) -> None:
    name, _, diagonal = what.partition(" ")
    for i, row in enumerate(rows):
        if name == "symmetric":
            for j in range(i):
                row[j] = rows[j][i]
        if diagonal:
            row[i] = diagonal
