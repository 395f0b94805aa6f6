"""A model of an input's format: which lines there are, what announces their number, what their fields hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from maxcode.format.tokens import Splitter

Slot = tuple[int, int]
"""A number of a line: the line's id and which of its numbers."""
Values = dict[Slot, int]
SMALL = 60
"""Number of lines up to which a format counts as small."""


@dataclass(frozen=True)
class Count:
    """Number of lines or tokens: the sum or product of numbers of earlier lines, and a constant."""

    slots: tuple[Slot, ...]
    plus: int = 0
    product: bool = False

    def value(self, values: Mapping[Slot, int]) -> int:
        numbers = [values[slot] for slot in self.slots]
        if not self.product:
            return sum(numbers) + self.plus
        result = 1
        for number in numbers:
            result *= number
        return result + self.plus


@dataclass(frozen=True)
class LineModel:
    id: int


@dataclass(frozen=True)
class Repeat:
    """A body that repeats: as often as the count says, or until the end."""

    id: int
    count: Count | None
    body: tuple[Node, ...]
    leave: int = 0
    """Number of lines at the end of the text that are not part of it."""

    @property
    def line(self) -> LineModel | None:
        """The only line of its body; None where there are others."""
        return self.body[0] if len(self.body) == 1 and isinstance(self.body[0], LineModel) else None


@dataclass(frozen=True)
class TokenFlow:
    """Tokens whose number is announced before, spread over lines."""

    id: int
    count: Count


Node = LineModel | Repeat | TokenFlow


@dataclass
class SingleLine:
    """One line that stands for itself."""

    id: int
    text: str


@dataclass
class Rows:
    """A section: lines of one kind."""

    node: Repeat
    lines: list[str]

    @property
    def id(self) -> int:
        line = self.node.line
        assert line is not None
        return line.id


@dataclass
class Cases:
    """Occurrences of a body of several parts."""

    node: Repeat
    cases: list[list[Part]]


@dataclass
class Tokens:
    node: TokenFlow
    tokens: list[str]
    width: int
    """Number of tokens on a line."""


Part = SingleLine | Rows | Cases | Tokens


@dataclass(frozen=True)
class Index:
    """Bounds of an index that move with a count: from `low` to the count plus `plus`."""

    count: Count
    low: int
    plus: int


@dataclass(frozen=True)
class Reference:
    """Values that all occur in a field of some line."""

    line: int
    key: str
    field: int
    earlier: bool
    """True if they always occur in an earlier line."""


@dataclass(frozen=True)
class Piece:
    """A run of digits, of letters or of one separator within tokens of several parts, such as `w673:1` or `12:30`."""

    kind: str
    """Kind: number, or text that stays as it is."""
    low: int = 0
    high: int = 0
    width: int = 0
    """Number of digits, where leading zeros fill up; 0 otherwise."""
    kept: bool = False
    """True if it names its token within a list: no two tokens of a list have the same."""


@dataclass(frozen=True)
class Field:
    """Content of one column."""

    kind: str
    """Kind of values: int, float, digits, word or token."""
    pool: tuple[str, ...]
    """Values seen, without repetitions, at most some hundreds."""
    low: float = 0
    high: float = 0
    step: int = 1
    width: int = 0
    """Number of digits, where leading zeros fill up; 0 otherwise."""
    decimals: int = 0
    signed: bool = False
    """True if positive numbers have a sign."""
    closed: bool = False
    """True if only values seen may occur."""
    nonzero: bool = False
    unique: bool = False
    rising: str | None = None
    """Order of the column within a section: up, strictly up, down or strictly down; None for none."""
    sequence: tuple[str, int, int] | None = None
    """The text before a number that rises by one from line to line, the first number, and its digits."""
    index: Index | None = None
    reference: Reference | None = None
    kept: bool = False
    """True if rows keep their values."""
    named: tuple[int, ...] = ()
    """Numbers that the program's text names, and those next to them, within the range."""
    pieces: tuple[Piece, ...] = ()
    """The parts of tokens that all have the same ones, some of them numbers."""

    @property
    def free(self) -> bool:
        """True if other values may take the place of a row's own."""
        return self.sequence is None and len(self.pool) > 1 and not self.kept


@dataclass(frozen=True)
class ColumnPair:
    """Two columns of a record: a <= b (or a < b), with the differences seen; or a != b."""

    a: int
    b: int
    relation: str
    """Relation of the two columns: <=, < or !=."""
    low: float = 0
    high: float = 0


@dataclass(frozen=True)
class Record:
    """One type of line: fixed fields, then perhaps a list of tokens of one kind."""

    fields: tuple[Field, ...]
    tail: Field | None = None
    lengths: tuple[int, int] = (0, 0)
    """Shortest and longest list seen."""
    counted_by: int | None = None
    """The field that says how long the list is."""
    distinct_tail: bool = False
    permutation: int | None = None
    """First of the consecutive numbers of which the list is a permutation; None if it is not one."""
    pairs: tuple[ColumnPair, ...] = ()
    determines: tuple[tuple[int, int, tuple[tuple[str, str], ...]], ...] = ()
    """Columns a -> b of which each value of a goes with one of b, with the values."""
    edges: bool = False
    """True for rows of two or more references; none occurs twice, where none did."""


@dataclass(frozen=True)
class Lines:
    """Model of the lines of one place in the text."""

    id: int
    how: Splitter | None
    """Splitter of lines; None where they are not understood field by field and are kept whole."""
    records: Mapping[str, Record] = field(default_factory=dict)
    """Types of lines by leading word; "" where there is one type only."""
    order: str = "free"
    """Order of lines: free, sorted (lines may be left out) or kept (only the end may be cut)."""
    why: str = ""
    balance: tuple[tuple[str, str], ...] = ()
    """Pairs a, b of leading words: at no point were there more lines of b than of a."""
    lengths: Count | None = None
    """Number that announces how many tokens each line's list has."""
    grid: GridModel | None = None
    matrix: str | None = None
    """Kind of a matrix: symmetric, diagonal (constant there), or both, with the value on the diagonal: `symmetric
    0`."""
    tree: bool = False
    unique: bool = False
    """True if no line occurs twice."""
    all_needed: bool = False
    """True for lines with keys of their own, as in a configuration: none may be left out."""
    prose: bool = False
    blocks: tuple[str, ...] = ()
    """Leading words whose lines stand together, in this order."""


@dataclass(frozen=True)
class GridModel:
    alphabet: str
    once: str
    """Characters that occur exactly once in each grid."""
    border: str | None = None
    """The character all around, if there is one."""


@dataclass(frozen=True)
class InputModel:
    """The format that was inferred. `nodes` is () where the input is not text with lines."""

    nodes: tuple[Node, ...]
    lines: Mapping[int, Lines]
    given: tuple[list[Part], ...]
    """The given inputs, taken apart."""
    ending: str = "\n"
    counts: frozenset[Slot] = frozenset()
    """Numbers that announce how much follows."""
    scalars: Mapping[Slot, tuple[int, ...]] = field(default_factory=dict)
    """Other numbers of single lines, with the values seen."""
    bounds: Mapping[Slot, tuple[Count, ...]] = field(default_factory=dict)
    """Counts that such a number has never exceeded."""
    fixed: frozenset[int] = frozenset()
    """Ids of lines that stay as they are: titles and endings."""
    final: bool = True
    """True if the last line ends with a line ending."""
    note: str = ""
    """Reason why there is no model; empty if there is one."""
    named: tuple[int, ...] = ()
    """Numbers that the program's text names."""
    smallest: int = 0
    """Least number of records of every section that was given as many."""

    @property
    def small(self) -> bool:
        """True if so few lines were given that more of them are worth a try."""
        parts = [part for given in self.given for part in given]
        return sum(1 for _ in lines_of(parts)) < SMALL if not any(isinstance(p, Cases) for p in parts) else False

    @property
    def largest(self) -> int:
        """Number of records of the longest section."""
        return max((_length(part) for parts in self.given for part in parts), default=0)

    def words(self) -> list[str]:
        from maxcode.format.words import words

        return words(self)


@dataclass(frozen=True)
class NewInput:
    """A new input and what is special about it."""

    text: str
    idea: str
    kind: str = ""
    """Name of what inputs of several sizes or columns have in common."""


def parse(
    nodes: Sequence[Node], lines: Sequence[str], at: int, values: Values, numbers: Sequence[list[int]]
) -> tuple[list[Part], int] | None:
    """The parts of a text from a line on, and where they end; None when the lines do not follow the structure."""
    parts: list[Part] = []
    for node in nodes:
        found = _parse_one(node, lines, at, values, numbers)
        if found is None:
            return None
        part, at = found
        parts.append(part)
    return parts, at


def _parse_one(
    node: Node, lines: Sequence[str], at: int, values: Values, numbers: Sequence[list[int]]
) -> tuple[Part, int] | None:
    if isinstance(node, LineModel):
        if at >= len(lines):
            return None
        for place, number in enumerate(numbers[at]):
            values[node.id, place] = number
        return SingleLine(node.id, lines[at]), at + 1
    try:
        count = node.count.value(values) if node.count else None
    except KeyError:
        return None
    if isinstance(node, TokenFlow):
        return _parse_flow(node, lines, at, count or 0)
    if node.line:
        end = len(lines) - node.leave if count is None else at + count
        return (Rows(node, list(lines[at:end])), end) if at <= end <= len(lines) else None
    cases: list[list[Part]] = []
    while (count is None and at < len(lines) - node.leave) or (count is not None and len(cases) < count):
        found = parse(node.body, lines, at, values, numbers)
        if found is None or found[1] == at:
            return None
        cases.append(found[0])
        at = found[1]
    return Cases(node, cases), at


def _parse_flow(node: TokenFlow, lines: Sequence[str], at: int, count: int) -> tuple[Part, int] | None:
    tokens: list[str] = []
    width = 1
    while len(tokens) < count:
        if at >= len(lines):
            return None
        here = lines[at].split()
        width = max(width, len(here))
        tokens += here
        at += 1
    return (Tokens(node, tokens, width), at) if len(tokens) == count else None


def render(parts: Sequence[Part], ending: str) -> str:
    return "".join(line + ending for line in lines_of(parts))


def lines_of(parts: Sequence[Part]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, SingleLine):
            yield part.text
        elif isinstance(part, Rows):
            yield from part.lines
        elif isinstance(part, Cases):
            for case in part.cases:
                yield from lines_of(case)
        else:
            yield from (" ".join(part.tokens[i : i + part.width]) for i in range(0, len(part.tokens), part.width))


def _length(part: Part) -> int:
    if isinstance(part, Rows):
        return len(part.lines)
    if isinstance(part, Cases):
        return max([len(part.cases), *(_length(inner) for case in part.cases for inner in case)])
    return len(part.tokens) if isinstance(part, Tokens) else 1


def walk(nodes: Sequence[Node]) -> Iterator[Node]:
    """All nodes, outer ones first."""
    for node in nodes:
        yield node
        if isinstance(node, Repeat):
            yield from walk(node.body)
