"""New inputs of a format: counts first, then the sections they announce, then what refers to them."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator, Sequence

from maxcode.format.choose_rows import chosen
from maxcode.format.idea import InputIdea
from maxcode.format.infer_references import LIST, NAMES, SIZE
from maxcode.format.infer_structure import slots_of
from maxcode.format.make_grid import new_grid
from maxcode.format.make_rows import new_rows
from maxcode.format.make_values import NoSuchInput, bounds_of, drawn, near
from maxcode.format.model import (
    Cases,
    InputModel,
    Lines,
    NewInput,
    Part,
    Reference,
    Repeat,
    Rows,
    SingleLine,
    Slot,
    Tokens,
    Values,
    render,
)
from maxcode.format.tokens import BRACKETS, header_numbers, with_numbers

Names = dict[tuple[int, str, int], list[str]]
"""Values that others may refer to, by line, leading word and field."""
_NUMBER = re.compile(r"(?<![\w.:/+-])[1-9]\d*(?![\w.:/-])")
"""A number that stands for itself."""
CUT = 30
"""Number of characters above which a line may be shortened, where it is all there is."""


def made(format: InputModel, idea: InputIdea, rng: random.Random, given: int = 0) -> NewInput | None:
    """A new input, or None where no input of this kind keeps all relations."""
    maker = _Maker(format, idea, rng)
    try:
        parts = maker.parts(format.given[given], {}, {})
    except NoSuchInput:
        return None
    text = render(parts, format.ending)
    text = text if format.final else text.removesuffix(format.ending)
    return NewInput(text, idea.name, re.sub(r"\d+%? (records,?|of) ?", "", idea.name).strip())


class _Maker:
    def __init__(self, format: InputModel, idea: InputIdea, rng: random.Random) -> None:
        self.format = format
        self.idea = idea
        self.rng = rng
        slots = sorted(format.counts)
        if any(isinstance(node, Repeat) and node.leave for node in format.nodes):
            slots = []  # a zero could be the ending
        self.empty = slots[idea.empty % len(slots)] if idea.empty is not None and slots else None
        self.width_slots = {s for model in format.lines.values() if model.lengths for s in model.lengths.slots}
        self._looked_up: tuple[list[str], set[str]] = ([], set())
        self.announced = slots_of(format.nodes)
        self.universes = {
            slot
            for model in format.lines.values()
            for record in model.records.values()
            for field in (*record.fields, *([record.tail] if record.tail else []))
            if field.index
            for slot in field.index.count.slots
        }

    def parts(self, given: Sequence[Part], values: Values, names: Names) -> list[Part]:
        """New parts in the place of given ones; `values` holds the counts announced so far."""
        for part in given:
            if isinstance(part, Rows) and part.node.count is None:
                values[part.node.id, SIZE] = self._size(len(part.lines), self._model(part.id))
        made: list[Part] = []
        waiting: list[tuple[Rows | SingleLine, Lines, list[list[str]]]] = []
        names = dict(names)
        for part in given:
            if isinstance(part, SingleLine):
                made.append(self._row(part, values, waiting))
            elif isinstance(part, Rows):
                made.append(self._rows(part, values, waiting))
            elif isinstance(part, Cases):
                made.append(self._cases(part, values, names))
            else:
                made.append(self._tokens(part, values))
            for _, model, rows in waiting[-1:]:
                _define(model, rows, names)
        for place, model, rows in waiting:
            self._refer(model, rows, names)
            assert model.how is not None
            lines = [model.how.join(row) for row in rows]
            if isinstance(place, SingleLine):
                place.text = lines[0]
            else:
                place.lines = lines
        return made

    def _model(self, id: int) -> Lines:
        return self.format.lines.get(id) or Lines(id, None)

    def _row(
        self, part: SingleLine, values: Values, waiting: list[tuple[Rows | SingleLine, Lines, list[list[str]]]]
    ) -> SingleLine:
        model = self.format.lines.get(part.id)
        if model is not None:
            if model.grid:
                width = model.lengths.value(values) if model.lengths else self._size(len(part.text), model)
                return SingleLine(part.id, new_grid(model.grid, [part.text], 1, width, self.idea, self.rng)[0])
            if model.how is None:
                return part
            new = SingleLine(part.id, part.text)
            waiting.append((new, model, new_rows(model, [part.text], 1, values, self.idea, self.rng)))
            return new
        numbers = header_numbers(part.text)
        if part.id in self.format.fixed or not numbers:
            return part
        new_numbers = [self._number((part.id, place), number) for place, number in enumerate(numbers)]
        for place, number in enumerate(new_numbers):
            values[part.id, place] = number
        for place, number in enumerate(new_numbers):
            if (part.id, place) in self.format.scalars:
                new_numbers[place] = values[part.id, place] = self._bounded((part.id, place), number, values)
        return SingleLine(part.id, with_numbers(part.text, new_numbers))

    def _number(self, slot: Slot, number: int) -> int:
        if slot not in self.format.counts:
            return self._scalar(slot, number)
        least = 1 if slot in self.width_slots or slot in self.universes or (number > 0 and self.empty != slot) else 0
        if slot in self.universes:
            least = 2
        least = min(least, number)
        size = self._size(number, None)
        if slot not in self.announced:
            size = min(size, number)
        if self.empty is not None:
            size = 0 if slot == self.empty else max(1, min(3, number))
        if slot in self.width_slots and self.idea.width is not None:
            size = min(number, self.idea.width)
        elif slot in self.width_slots and self.idea.size is not None and size > 1:
            size = min(number, size + self.rng.choice((-1, 0, 1, 2)))  # height and width differ
        if self.idea.varied:
            size = self.rng.randint(min(least, size), max(size, least))
        return max(least, size, min(self.format.smallest, number))

    def _scalar(self, slot: tuple[int, int], number: int) -> int:
        seen = self.format.scalars.get(slot, ())
        if self.idea.number is not None:
            return min(number, max(1, self.idea.number) if self.format.bounds.get(slot) else self.idea.number)
        if self.idea.numbers == "keep":
            return number
        if self.idea.numbers == "small":
            return min(number, round(math.pow(3 * (self.idea.size or 1), self.rng.random())))
        if len(set(seen)) > 1:
            return self.rng.choice(seen)
        if number < 2 or number > 10**7:
            return number
        if self.idea.numbers == "scaled":
            share = (self.idea.size or 1) / max(1, self.format.largest)
            return max(1, min(number, round(number * share * self.rng.uniform(0.5, 1.5))))
        named = [value for value in self.format.named if value <= number]
        return self.rng.choice(named) if named and self.rng.random() < 0.5 else self.rng.randint(1, number)

    def _bounded(self, slot: tuple[int, int], number: int, values: Values) -> int:
        for limit in self.format.bounds.get(slot, ()):
            if all(other in values for other in limit.slots):
                number = min(number, max(limit.value(values), min(1, number)))
        return number

    def _size(self, given: int, model: Lines | None) -> int:
        """Number of lines of a new section, for a given one."""
        if model is not None and model.all_needed:
            return given
        if self.idea.size is None:
            return max(1, round(given * self.idea.share)) if given else 0
        if self.idea.size <= given:
            return max(self.idea.size, min(self.format.smallest, given))
        return min(self.idea.size, 2 * given) if self.format.small and self._may_grow() else given

    def _may_grow(self) -> bool:
        for model in self.format.lines.values():
            if model.order == "kept" or (model.how is None and model.unique):
                return False
            for record in model.records.values():
                if any(f.unique and f.kind in ("word", "token") and not f.sequence for f in record.fields):
                    return False
        return True

    def _rows(
        self, part: Rows, values: Values, waiting: list[tuple[Rows | SingleLine, Lines, list[list[str]]]]
    ) -> Rows:
        node, model = part.node, self._model(part.id)
        size = node.count.value(values) if node.count else values[node.id, SIZE]
        if size < 0:
            raise NoSuchInput
        if model.grid:
            given = len(part.lines[0]) if part.lines else 0
            width = model.lengths.value(values) if model.lengths else self._size(given, None)
            return Rows(node, new_grid(model.grid, part.lines, size, width, self.idea, self.rng))
        if len(part.lines) <= 3 and node.count is None and self._is_text(part, model):
            return Rows(node, self._cut(part.lines))
        if model.how is None:
            lines = chosen(model, part.lines, size, self.idea, self.rng)
            return Rows(node, [self._changed(line, model) for line in lines])
        new = Rows(node, [])
        waiting.append((new, model, new_rows(model, part.lines, size, values, self.idea, self.rng)))
        return new

    def _is_text(self, part: Rows, model: Lines) -> bool:
        """True for one long line or two that are all there is, without brackets that must close."""
        text = "".join(part.lines)
        lists = any(record.tail for record in model.records.values())
        return len(text) > CUT * len(part.lines) and not lists and not BRACKETS & set(text)

    def _cut(self, lines: Sequence[str]) -> list[str]:
        made = []
        for line in lines:
            pieces = line.split(" ") if " " in line else list(line)
            size = max(1, min(len(pieces), self._size(len(pieces), None)))
            pieces = pieces[:size] if self.idea.rows == "first" else self.rng.sample(pieces, size)
            if self.idea.values in ("one", "min", "max", "ends"):
                pieces = [self.rng.choice(pieces)] * size
            made.append((" " if " " in line else "").join(pieces))
        return made

    def _changed(self, line: str, model: Lines) -> str:
        """New line in place of one that is not understood: words of prose in another order, or numbers that the program
        names."""
        if self.idea.values not in ("fresh", "few", "small"):
            return line
        if not model.prose:
            return _NUMBER.sub(self._renumbered, line)
        words = line.split(" ")
        return " ".join(self.rng.sample(words, len(words)))

    def _renumbered(self, match: re.Match[str]) -> str:
        like = [str(value) for value in self.format.named if value > 1 and len(str(value)) == len(match[0])]
        return self.rng.choice(like) if like and self.rng.random() < 0.5 else match[0]

    def _cases(self, part: Cases, values: Values, names: Names) -> Cases:
        many = len(part.cases)
        size = part.node.count.value(values) if part.node.count else self._size(many, None)
        size = max(1, size) if part.node.count is None else size
        if size < 0 or (size and not many):
            raise NoSuchInput
        picked = self.rng.sample(range(many), size) if size <= many else self.rng.choices(range(many), k=size)
        if self.idea.rows == "first":
            picked.sort()
        return Cases(part.node, [self.parts(part.cases[i], values, names) for i in picked])

    def _tokens(self, part: Tokens, values: Values) -> Tokens:
        model = self._model(part.node.id)
        size = part.node.count.value(values)
        record = model.records.get("")
        tail = record.tail if record else None
        tokens = (
            part.tokens[:size]
            if self.idea.rows == "first"
            else self.rng.sample(part.tokens, min(size, len(part.tokens)))
        )
        if record and tail is None and record.fields:
            tail = record.fields[0]
        if tail is None:
            return Tokens(part.node, tokens, part.width)
        bounds = bounds_of(tail, values)
        if self.idea.values not in ("keep", "ties", "one", "equal", "near"):
            tokens = [drawn(tail, self.idea.values, bounds, self.rng) for _ in tokens]
        elif self.idea.values in ("ties", "one", "near") and tokens:
            some = self.rng.sample(tokens, min(len(tokens), 1 if self.idea.values == "one" else 2))
            if self.idea.values == "near":
                some = near(tail, bounds, self.rng) or some
            tokens = [self.rng.choice(some) for _ in tokens]
        tokens += [drawn(tail, "fresh", bounds, self.rng) for _ in range(size - len(tokens))]
        if bounds:
            tokens = [t if bounds[0] <= int(t) <= bounds[1] else drawn(tail, "fresh", bounds, self.rng) for t in tokens]
        return Tokens(part.node, tokens, part.width)

    def _refer(self, model: Lines, rows: list[list[str]], names: Names) -> None:
        """Redirects references to names that are no longer there to names that are."""
        for key, record in model.records.items():
            some = [row for row in rows if not key or row[0] == key]
            for place, field in enumerate(record.fields):
                if field.reference:
                    for row in some:
                        row[place] = self._target(row[place], field.reference, names)
            if record.tail and record.tail.reference:
                start = len(record.fields)
                for row in some:
                    row[start:] = [self._target(token, record.tail.reference, names) for token in row[start:]]
            pairs = [pair for pair in record.pairs if pair.relation == "!=" and record.fields[pair.b].reference]
            for pair in pairs:
                for row in some:
                    self._differ(row, pair.a, pair.b, record.fields[pair.b].reference, names)

    def _target(self, value: str, reference: Reference, names: Names) -> str:
        known = names.get((reference.line, reference.key, reference.field), [])
        if not known:
            raise NoSuchInput
        return value if value in self._as_set(known) else self.rng.choice(known)

    def _as_set(self, known: list[str]) -> set[str]:
        """Names of a list as a set, to look up in; made once for each list."""
        if self._looked_up[0] is not known:
            self._looked_up = (known, set(known))
        return self._looked_up[1]

    def _differ(self, row: list[str], a: int, b: int, reference: Reference | None, names: Names) -> None:
        if reference and row[a] == row[b]:
            others = [n for n in names.get((reference.line, reference.key, reference.field), []) if n != row[a]]
            if not others:
                raise NoSuchInput
            row[b] = self.rng.choice(others)


def _define(model: Lines, rows: list[list[str]], names: Names) -> None:
    """Notes the values of a section that others may refer to."""
    for key, record in model.records.items():
        some = [row for row in rows if not key or row[0] == key]
        for place, field in enumerate(record.fields):
            if field.unique or (key and place == 1):
                names[model.id, key, place] = list(dict.fromkeys(row[place] for row in some))
        if record.tail and record.distinct_tail:
            names[model.id, key, LIST] = [token for row in some for token in row[len(record.fields) :]]
        texts = [place for place, field in enumerate(record.fields) if field.kind in ("word", "token")]
        if len(texts) > 1:
            names[model.id, key, NAMES] = [row[place] for row in some for place in texts]


def texts_of(made_ones: Iterator[NewInput]) -> Iterator[NewInput]:
    """The inputs without repetitions."""
    seen: set[int] = set()
    for each in made_ones:
        if hash(each.text) not in seen:
            seen.add(hash(each.text))
            yield each
