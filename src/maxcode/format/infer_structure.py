"""Infers which lines a text consists of: headers, sections, and the numbers that announce how long they are.

A search over readings of the text, as a program would read it: a line, as many lines as a number before said, as many
cases of a body. Each reading has a cost. Numbers that fit exactly, and sections of lines of one shape, are cheap.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import accumulate, count, product

from maxcode.format.model import Count, LineModel, Node, Repeat, Slot, TokenFlow, Values, walk
from maxcode.format.tokens import header_numbers, shape_of

HEADER_NUMBERS = 6
NODES = 9
READINGS = 4
STEPS = 150
WORK = 4
"""Number of times that the lines may be gone through in search of cases."""
REST = 6.0
"""Cost of lines that nothing announces, up to the end."""


@dataclass(frozen=True)
class Reading:
    cost: float
    nodes: tuple[Node, ...]


def readings(lines: Sequence[str]) -> list[tuple[Node, ...]]:
    """Ways to read the text, the most likely first."""
    search = _Search(lines)
    search.go()
    return [reading.nodes for reading in search.found]


class _Search:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.end = len(lines)
        self.shapes = [shape_of(line) for line in lines]
        self.sizes = [int(str(shape[0])) for shape in self.shapes]
        self.numbers = [header_numbers(line) for line in lines]
        changes = (a != b for a, b in zip(self.shapes, self.shapes[1:], strict=False))
        self.changes = [0, *accumulate(map(int, changes)), 0]
        self.tokens = [0, *accumulate(len(line.split()) for line in lines)]
        self.found: list[Reading] = []
        self.ids = count()
        self.work = WORK * (len(lines) + 20_000)
        self.common = Counter(self.shapes)
        self.made: dict[int, list[tuple[tuple[Node, ...], float]]] = {}

    def go(self) -> None:
        """Finds readings of all lines, cheap ones first."""
        waiting: list[tuple[float, int, int, Values, tuple[Node, ...]]] = [(0.0, 0, 0, {}, ())]
        order = count(1)
        for _ in range(STEPS):
            if not waiting or len(self.found) >= READINGS:
                break
            cost, _, at, values, nodes = heappop(waiting)
            if at == self.end:
                self.found.append(Reading(cost, nodes))
                continue
            if len(nodes) >= NODES:
                continue
            for node, then, more in self._options(at, values, nodes):
                taken = dict(values)
                if isinstance(node, LineModel) and self._is_header(at):
                    taken |= {(node.id, place): number for place, number in enumerate(self.numbers[at])}
                heappush(waiting, (cost + more, next(order), then, taken, (*nodes, node)))
        self.found += [
            Reading(cost, nodes)
            for cost, _, at, _, nodes in sorted(waiting, key=lambda each: each[:2])
            if at == self.end
        ][:READINGS]

    def _options(self, at: int, values: Values, nodes: tuple[Node, ...]) -> Iterator[tuple[Node, int, float]]:
        yield from self._counted(at, values)
        yield from self._cases(at, values)
        yield from self._flows(at, values)
        if self._may_be_single(nodes):
            yield LineModel(next(self.ids)), at + 1, self._single_cost(at, values)
        last = self.end - 1 if self.end - at > 3 else self.end  # it may be an ending
        yield self._rows(None), self.end, REST + self._mixture(at, last) + self._doubt(at)
        yield from self._until_end(at)

    def _rows(self, said: Count | None) -> Repeat:
        return Repeat(next(self.ids), said, (LineModel(next(self.ids)),))

    def _counted(self, at: int, values: Values) -> Iterator[tuple[Node, int, float]]:
        """Sections that are as long as a number says."""
        for said, size, price in self._counts(values):
            then = at + size
            if then <= self.end and self._is_plausible(then, values):
                yield self._rows(said), then, price + self._mixed(at, then) + self._end_cost(then)
            for height in (2, 3):
                then = at + size * height
                if size > 1 and then <= self.end and self._is_periodic(at, then, height):
                    body = tuple(LineModel(next(self.ids)) for _ in range(height))
                    yield Repeat(next(self.ids), said, body), then, price + 1 + self._end_cost(then)

    def _cases(self, at: int, values: Values) -> Iterator[tuple[Node, int, float]]:
        """Cases: a body with counts of its own, as often as a number says."""
        for said, size, price in self._counts(values, simple=True):
            if size < 2 or at + 2 * size > self.end:
                continue
            for body, body_cost in self._bodies(at):
                node = Repeat(next(self.ids), said, body)
                then = self._cases_end(body, at, self.end, size)
                if then is not None:
                    doubt = 0.0 if self._are_within(body, at, size) else self._sameness(at)
                    yield node, then, price + 1 + body_cost + doubt + self._end_cost(then)

    def _until_end(self, at: int) -> Iterator[tuple[Node, int, float]]:
        """Bodies with counts of their own until the end, or until an ending line."""
        for body, body_cost in self._bodies(at):
            if len(self.common) == 1:
                break  # all lines are alike: nothing tells first lines of cases from others
            for leave in (0, 1):
                end = self.end - leave
                if leave == 0 and not any(self.numbers[end - 1]):
                    continue  # a last zero ends the cases
                node = Repeat(next(self.ids), None, body, leave)
                cases = self._cases_until(body, at, end) if self._has_counts(body) else 0
                if cases > 1:
                    yield node, end, 3 + 8 / cases + body_cost + self._sameness(at) - self._ends_with_zero(leave)

    def _ends_with_zero(self, leave: int) -> float:
        """Bonus for an ending: a last line of zeros is one more often than not."""
        numbers = self.numbers[self.end - 1]
        return 1.0 if leave and numbers and not any(numbers) else 0.0

    def _sameness(self, at: int) -> float:
        """Cost of cases whose first lines look like most lines: such cases are less likely."""
        return 5.0 if 2 * self.common[self.shapes[at]] > self.end else 0.0

    def _are_within(self, body: tuple[Node, ...], at: int, cases: int) -> bool:
        """True if no number of a case exceeds all of its first line: indices do not."""
        start = at
        for end in self._ends(body, at, self.end, cases):
            inner = [number for i in range(start + 1, end) for number in self.numbers[i]]
            if max(inner, default=0) > max(self.numbers[start], default=0):
                return False
            start = end
        return True

    def _has_counts(self, body: Sequence[Node]) -> bool:
        return any(isinstance(node, Repeat | TokenFlow) for node in body)

    def _cases_end(self, body: tuple[Node, ...], at: int, end: int, wanted: int) -> int | None:
        """Line at which so many cases end, if the first lines of all have one shape; None otherwise."""
        found = self._ends(body, at, end, wanted)
        return found[-1] if len(found) == wanted else None

    def _cases_until(self, body: tuple[Node, ...], at: int, end: int) -> int:
        """Number of cases up to an end; 0 where they do not end there."""
        found = self._ends(body, at, end, end)
        return len(found) if found and found[-1] == end else 0

    def _ends(self, body: tuple[Node, ...], at: int, end: int, wanted: int) -> list[int]:
        """Line at which each of the cases that follow one another ends."""
        found: list[int] = []
        here = at
        values: Values = {}
        while here < end and len(found) < wanted and self._announces(at) and self.work > 0:
            self.work -= 1
            inner = min(here, end - 2) + 1
            alike = numbers_or_words(self.shapes[inner]) == numbers_or_words(self.shapes[min(at, end - 2) + 1])
            then = self._extent(body, here, values, end) if alike and self._alike(at, here) else None
            if then is None:
                break
            found.append(then)
            here = then
        return found

    def _extent(self, nodes: Sequence[Node], at: int, values: Values, end: int) -> int | None:
        """Line at which nodes that begin at a line end; None where they do not fit."""
        for node in nodes:
            if isinstance(node, LineModel):
                if at >= end:
                    return None
                for place, number in enumerate(self.numbers[at]):
                    values[node.id, place] = number
                at += 1
                continue
            size = node.count.value(values) if node.count and all(s in values for s in node.count.slots) else -1
            if size < 0 or (size > end - at and isinstance(node, Repeat)):
                return None
            if isinstance(node, TokenFlow):
                then = bisect_left(self.tokens, self.tokens[at] + size, at)
                if then > end or self.tokens[then] != self.tokens[at] + size:
                    return None
                at = then
            elif node.line:
                at += size
            else:
                for _ in range(size):
                    then_or_none = self._extent(node.body, at, values, end)
                    if then_or_none is None:
                        return None
                    at = then_or_none
        return at

    def _bodies(self, at: int) -> list[tuple[tuple[Node, ...], float]]:
        """Bodies that begin with a header: what follows it is a line, or as many lines as it says."""
        if at not in self.made:
            self.made[at] = list(self._new_bodies(at)) if self._is_header(at) else []
        return self.made[at]

    def _new_bodies(self, at: int) -> Iterator[tuple[tuple[Node, ...], float]]:
        head = LineModel(next(self.ids))
        own = {(head.id, place): number for place, number in enumerate(self.numbers[at])}
        parts: list[tuple[str, Count | None, float]] = [("line", None, 1.0)]
        counts = list(self._counts(own, small=True))
        parts += [("rows", said, price) for said, _, price in counts]
        inner = [(kind, said, price) for said, _, price in counts for kind in ("flow", "pairs", "nested")]
        lengths = (1, 2, 3) if len(own) <= 2 else (1, 2)
        chosen = [each for length in lengths for each in product(parts, repeat=length)]
        for each in [*chosen, *((one,) for one in inner)]:
            body = self._body(at, head, own, each)
            if body:
                yield body, 1 + sum(price + (kind in ("pairs", "nested", "flow")) for kind, _, price in each)

    def _body(
        self, at: int, head: LineModel, own: Values, chosen: Sequence[tuple[str, Count | None, float]]
    ) -> tuple[Node, ...] | None:
        """The body, if its first case ends where another could begin."""
        body: list[Node] = [head]
        for kind, said, _ in chosen:
            if kind == "line" or said is None:
                body.append(LineModel(next(self.ids)))
            elif kind == "rows":
                body.append(self._rows(said))
            elif kind == "flow":
                body.append(TokenFlow(next(self.ids), said))
            elif kind == "pairs":
                body.append(Repeat(next(self.ids), said, (LineModel(next(self.ids)), LineModel(next(self.ids)))))
            else:
                inner = LineModel(next(self.ids))
                rows = self._rows(Count(((inner.id, 0),)))
                body.append(Repeat(next(self.ids), said, (inner, rows)))
        then = self._extent(body, at, dict(own), self.end)
        return tuple(body) if then is not None and (then >= self.end - 1 or self._alike(at, then)) else None

    def _alike(self, a: int, b: int) -> bool:
        return self.shapes[a] == self.shapes[b] and len(self.numbers[a]) == len(self.numbers[b])

    def _flows(self, at: int, values: Values) -> Iterator[tuple[Node, int, float]]:
        """Tokens whose number is announced, spread over several lines."""
        for said, size, price in self._counts(values, simple=True):
            then = bisect_left(self.tokens, self.tokens[at] + size, at + 2)
            full = self.sizes[at]
            if size < 4 or then > self.end or self.tokens[then] != self.tokens[at] + size or full < 2:
                continue
            if all(self.sizes[i] == full for i in range(at, then - 1)) and (then == self.end or self._is_header(then)):
                yield TokenFlow(next(self.ids), said), then, price + 1.5

    def _counts(self, values: Values, simple: bool = False, small: bool = False) -> Iterator[tuple[Count, int, float]]:
        """Numbers of lines that can be made of the numbers so far, the latest first, with the cost of each."""
        slots = list(values.items())[::-1][:8]
        for slot, number in slots:
            doubt = 3.0 if number == 1 else 1.0 if number == 2 else 0.0
            for plus, price in ((0, 1.0),) if simple else ((0, 1.0), (-1, 2.5), (1, 3.5)):
                if number + plus >= 1 or (small and number + plus >= 0):
                    yield Count((slot,), plus), number + plus, price + doubt
        if simple or small:
            return
        for i, (a, x) in enumerate(slots):
            for b, y in slots[i + 1 :]:
                if min(x, y) > 1:
                    yield Count((b, a)), x + y, 4.0
                    yield Count((b, a), product=True), x * y, 3.5

    def _is_plausible(self, then: int, values: Values) -> bool:
        """True if a section may end here: at the end, where shapes change, or before what another number explains."""
        if then == self.end or self.shapes[then - 1] != self.shapes[then] or self._is_header(then):
            return True
        left = self.end - then
        return left in values.values() or left + 1 in values.values() or not self.lines[then].strip()

    def _is_header(self, at: int) -> bool:
        """True if a line may announce something: it is all numbers, or most lines are not like it."""
        if at >= self.end or not 1 <= len(self.numbers[at]) <= HEADER_NUMBERS:
            return False
        rare = self.common[self.shapes[at]] == 1 or 5 * self.common[self.shapes[at]] <= self.end
        return self._announces(at) or (at == 0 and rare and self.shapes[:1] != self.shapes[1:2])

    def _announces(self, at: int) -> bool:
        plain = set(self.shapes[at][1:]) == {"i"} and self.sizes[at] <= HEADER_NUMBERS
        alone = at + 1 < self.end and self.shapes[at] != self.shapes[at + 1]
        return plain or (alone and 5 * self.common[self.shapes[at]] <= self.end)

    def _may_be_single(self, nodes: tuple[Node, ...]) -> bool:
        run = 0
        for node in reversed(nodes):
            if not isinstance(node, LineModel):
                break
            run += 1
        return run < 5

    def _single_cost(self, at: int, values: Values) -> float:
        size = self.sizes[at]
        if size >= 3 and (size in values.values() or len(self.lines[at].split()) in values.values()):
            return 0.8
        if not self.lines[at].strip():
            return 0.5
        alone = at + 1 < self.end and self.shapes[at] != self.shapes[at + 1]
        if self._is_header(at):
            return 1.0 + 0.3 * len(self.numbers[at]) + (0 if alone else 0.5)
        return 1.5 if alone else 3.0

    def _mixed(self, at: int, then: int) -> float:
        """Cost of several shapes in a section as long as announced: types of lines may alternate, but not change
        once."""
        changes = self.changes[then - 1] - self.changes[at]
        return self._mixture(at, then) * (0.3 if changes > 2 and self.shapes[at][1:2] == ("w",) else 1.0)

    def _mixture(self, at: int, then: int) -> float:
        """Cost of lines of several shapes in one section."""
        changes = self.changes[then - 1] - self.changes[at]
        return min(4.0, 40 * changes / (then - at)) + 2 if changes else 0.0

    def _doubt(self, at: int) -> float:
        """Cost of taking a first line of whole numbers alone for data: it may be a header, whatever follows.

        Negative where a last line of -1 ends the data, which then needs no count.
        """
        kinds = self.shapes[at][1:] if at == 0 else ()
        plain = bool(kinds) and set(kinds) == {"i"} and self.sizes[at] <= 6 and self.end > 1
        if self.lines[-1].strip() == "-1" and all(line.strip() != "-1" for line in self.lines[:-1]):
            return -2.0  # data with an ending needs no count
        row = len(self.lines[0]) > 5 and all(len(line) == len(self.lines[0]) for line in self.lines[1:50])
        return 3.0 if plain and not row and not self.lines[0].startswith("0") else 0.0

    def _end_cost(self, then: int) -> float:
        """Cost of the end of a section: one that ends where nothing changes is less likely."""
        if then == self.end:
            return 0.0
        return 0.3 if self.shapes[then - 1] != self.shapes[then] else 1.5

    def _is_periodic(self, at: int, then: int, height: int) -> bool:
        """True if every line is like the one a record before, or a list as long as the line before it says."""
        if len({self.shapes[i] for i in range(at, at + height)}) == 1:
            return False
        starts = range(at, min(then, at + 40 * height), height)
        for place in range(height):
            if any(self.shapes[i + place] != self.shapes[at + place] for i in starts) and not (
                place and all(self.sizes[i + place] in self.numbers[i + place - 1] for i in starts)
            ):
                return False
        return True


def numbers_or_words(shape: tuple[object, ...]) -> tuple[object, ...]:
    """Form that lines at one place of several cases share, whatever their lengths."""
    return (shape[1:2], "w" in shape[1:])


def slots_of(nodes: Sequence[Node]) -> set[Slot]:
    """Numbers that announce how many lines or tokens follow."""
    counts = [node.count for node in walk(nodes) if isinstance(node, Repeat | TokenFlow) and node.count]
    return {slot for said in counts for slot in said.slots}
