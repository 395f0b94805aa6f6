"""Infers what the lines of one place are like: columns, lists, leading words, grids, or text that is left whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from maxcode.format.compound import with_names_kept
from maxcode.format.infer_fields import ENOUGH, field_of, likely_least, number
from maxcode.format.model import ColumnPair, Count, Field, GridModel, Lines, Record, Slot
from maxcode.format.tokens import Splitter, kind_of, splitter_of

SAMPLE = 12_000
COLUMNS = 24
KEYWORDS = 12
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class LineSection:
    """Lines that stand together, and the numbers announced before them."""

    lines: list[str]
    values: dict[Slot, int]
    _split: dict[Splitter, list[list[str]]] = field(default_factory=dict, compare=False)

    def rows(self, how: Splitter) -> list[list[str]]:
        """Lines that are not empty, as tokens; split once and kept."""
        if how not in self._split:
            self._split[how] = [how.split(line) for line in self.lines if line]
        return self._split[how]


def lines_model(id: int, sections: Sequence[LineSection], own: frozenset[Slot]) -> Lines:
    """Model of the lines of one place. `own`: the numbers that say how many lines the section has."""
    beginnings = [section.lines[:SAMPLE] for section in sections if section.lines]
    sections = [_sampled(section) for section in sections if section.lines]
    rows = [line for section in sections for line in section.lines]
    if not rows:
        return Lines(id, None)
    how = splitter_of(rows)
    grid = _grid_lengths(sections, own) if how else None
    if grid is not None:
        return _grid(id, sections, grid)
    order, why = _order(sections, beginnings)
    balance = _balance(beginnings) if order == "free" else ()
    unique = len(rows) >= ENOUGH and all(len(set(s.lines)) == len(s.lines) for s in sections)
    whole = Lines(id, None, order=order, why=why, balance=balance, unique=unique, prose=_is_prose(rows))
    whole = replace(whole, all_needed=_is_settings(rows))
    if how is None or whole.all_needed:
        return whole
    tokens = [[how.split(line) for line in section.lines] for section in sections]
    made = _records(id, how, tokens, sections, own)
    if made is None:
        return whole
    return _with_order(replace(made, order=order, why=why, balance=balance), tokens)


def _sampled(section: LineSection) -> LineSection:
    step = len(section.lines) // SAMPLE + 1
    return section if step == 1 else LineSection(section.lines[::step], section.values)


def _records(
    id: int, how: Splitter, tokens: list[list[list[str]]], sections: Sequence[LineSection], own: frozenset[Slot]
) -> Lines | None:
    rows = [row for section in tokens for row in section]
    width = _width(tokens, sections, own)
    words = _keywords(rows)
    if words and not (width and width[1] == 0):
        made = {}
        for word in words:
            record = _record([[row for row in section if row and row[0] == word] for section in tokens])
            if record is None:
                return None
            made[word] = record
        return Lines(id, how, made, blocks=_blocks(rows, words))
    if width:
        said, prefix = width
        return Lines(id, how, {"": _listed(tokens, prefix)}, lengths=said)
    record = _record(tokens)
    return Lines(id, how, {"": record}) if record else None


def _keywords(rows: Sequence[Sequence[str]]) -> list[str]:
    """Leading words that tell types of lines apart."""
    if any(not row or (not _IDENTIFIER.match(row[0]) and not _is_sign(row[0])) for row in rows):
        return []
    counted = Counter(row[0] for row in rows)
    several = 2 <= len(counted) <= KEYWORDS and len(rows) >= 3 * len(counted)
    if not several or max(map(len, rows)) == 1:
        return []
    signatures = {word: _signature([row for row in rows if row[0] == word]) for word in counted}
    return list(counted) if len(set(signatures.values())) > 1 or _blocks(rows, list(counted)) else []


def _signature(rows: Sequence[Sequence[str]]) -> tuple[object, ...]:
    """Form of lines with one leading word: how many fields, and which are numbers."""
    sizes = {len(row) for row in rows}
    if len(sizes) > 1:
        return (0,)
    columns = range(1, min(sizes))
    return (min(sizes), *(all(kind_of(row[place]) != "w" for row in rows) for place in columns))


def _is_sign(token: str) -> bool:
    return len(token) == 1 and not token.isalnum()


def _blocks(rows: Sequence[Sequence[str]], words: Sequence[str]) -> tuple[str, ...]:
    changes = [row[0] for before, row in pairwise(rows) if row[0] != before[0]]
    return (rows[0][0], *changes) if len(changes) == len(words) - 1 and len(rows) > 3 * len(words) else ()


def _width(
    tokens: list[list[list[str]]], sections: Sequence[LineSection], own: frozenset[Slot]
) -> tuple[Count, int] | None:
    """The number that announces how many tokens every line has, and how many come before those."""
    for prefix in range(4):
        for slot in _slots(sections):
            fits = all(
                len(row) == section.values[slot] + prefix
                for section, lines in zip(sections, tokens, strict=True)
                for row in lines
            )
            seen = {section.values[slot] for section in sections}
            enough = max(seen) >= 4 or len(seen) > 1 or (bool(own) and slot not in own and prefix == 0)
            if fits and enough and min(seen) >= 1 and (prefix == 0 or max(seen) > 1):
                listed = [row[prefix:] for lines in tokens for row in lines]
                if prefix == 0 or len({kind_of(t) for row in listed[:200] for t in row}) == 1:
                    return Count((slot,)), prefix
    return None


def _slots(sections: Sequence[LineSection]) -> list[Slot]:
    """Numbers announced before all of the sections, the latest first."""
    common = set.intersection(*(set(section.values) for section in sections))
    return sorted((slot for slot in common if slot[1] >= 0), reverse=True)


def _record(tokens: list[list[list[str]]]) -> Record | None:
    rows = [row for section in tokens for row in section]
    sizes = {len(row) for row in rows}
    if len(sizes) == 1 and (size := min(sizes)) <= COLUMNS:
        return _fixed(tokens, size)
    counted = _counted_by(rows)
    if counted is not None:
        return replace(_listed(tokens, counted + 1), counted_by=counted)
    for prefix in range(min(4, min(sizes) + 1)):
        skeletons = {_skeleton(token) for row in rows for token in row[prefix:]}
        numbered = all("9" in skeleton for skeleton in skeletons)  # words are text: what may be cut is not known
        if numbered and (len(skeletons) == 1 or skeletons <= {"9", "-9"}):
            return _listed(tokens, prefix)
    return None


def _counted_by(rows: Sequence[Sequence[str]]) -> int | None:
    """Index of the field of each line that says how many tokens follow it; None without one."""
    for place in (0, 1, 2):
        numbered = all(len(row) > place and row[place].isdigit() and len(row[place]) < 9 for row in rows)
        if numbered and all(len(row) - place - 1 == int(row[place]) for row in rows):
            return place
    return None


def _skeleton(token: str) -> str:
    return re.sub(r"[A-Za-z]+", "a", re.sub(r"\d+", "9", token))


def _fixed(tokens: list[list[list[str]]], size: int) -> Record:
    columns = [[[row[place] for row in section] for section in tokens] for place in range(size)]
    plain = [field_of(column) for column in columns]
    place = 1 if size > 2 and len(plain[0].pool) == 1 else 0  # after a leading word
    fields = tuple(
        field_of(columns[i], key=True) if i == place and _is_key(f, plain[i + 1 :]) else f for i, f in enumerate(plain)
    )
    rows = [row for section in tokens for row in section]
    determines = _determines(fields, rows)
    whole = {a for a, _, _ in determines}  # a value that goes with a token says nothing about other tokens
    fields = tuple(replace(f, pieces=(), closed=True) if i in whole and f.pieces else f for i, f in enumerate(fields))
    return Record(fields, pairs=_pairs(fields, rows), determines=determines)


def _is_key(field: Field, others: Sequence[Field]) -> bool:
    """True if a first column may name its rows. It does not where another is like it, as with points or intervals."""
    alike = [f for f in others if f.kind == field.kind and f.low <= field.high and field.low <= f.high]
    return bool(others) and not (alike and field.kind in ("int", "float"))


def _listed(tokens: list[list[list[str]]], prefix: int) -> Record:
    head = _fixed([[row[:prefix] for row in section] for section in tokens], prefix)
    lists = [row[prefix:] for section in tokens for row in section]
    some = lists[:: len(lists) * max(1, max(map(len, lists), default=1)) // 200_000 + 1]
    tail = field_of([[token for row in some for token in row]] if any(some) else [["0"]])
    tail = with_names_kept(replace(tail, rising=_common_order(some), unique=False, sequence=None), some)
    sizes = [len(row) for row in lists]
    long = [row for row in some if len(row) > 1]
    distinct = bool(long) and all(len(set(row)) == len(row) for row in long)
    if tail.kind == "int" and distinct:
        span = tail.high - tail.low + 1
        distinct = sum(len(row) ** 2 for row in long) > 6 * span
    return replace(
        head,
        tail=tail,
        lengths=(min(sizes), max(sizes)),
        distinct_tail=distinct,
        permutation=_permutation(tail, long),
    )


def _common_order(rows: Sequence[Sequence[str]]) -> str | None:
    if sum(len(row) > 1 for row in rows) == 0 or sum(map(len, rows)) < ENOUGH + len(rows):
        return None
    return field_of(rows).rising if max(map(len, rows)) >= ENOUGH or len(rows) >= ENOUGH else None


def _permutation(tail: Field, rows: Sequence[Sequence[str]]) -> int | None:
    if tail.kind != "int" or not rows or max(map(len, rows)) < 3:
        return None
    for first in (0, 1):
        if all(sorted(map(int, row)) == list(range(first, first + len(row))) for row in rows):
            return first
    return None


def _pairs(fields: Sequence[Field], rows: Sequence[Sequence[str]]) -> tuple[ColumnPair, ...]:
    """Columns of one kind of which one is never above the other."""
    found: list[ColumnPair] = []
    if len(rows) < ENOUGH + 2 or len(fields) > 10:
        return ()
    for a, left in enumerate(fields):
        for b, right in enumerate(fields):
            if a == b or left.kind != right.kind or len(left.pool) < 2 or len(right.pool) < 2:
                continue
            if left.kind in ("int", "float"):
                gaps = [number(right, row[b]) - number(left, row[a]) for row in rows]
                if min(gaps) >= 0 and max(gaps) > 0 and left.high > right.low:
                    least = likely_least(min(gaps), max(gaps), len(set(gaps)), left.kind)
                    found.append(ColumnPair(a, b, "<" if min(gaps) > 0 else "<=", least, max(gaps)))
            elif _is_clock(left) and _is_clock(right) and all(row[a] <= row[b] for row in rows):
                found.append(ColumnPair(a, b, "<" if all(row[a] < row[b] for row in rows) else "<="))
    return tuple(found)


def _is_clock(field: Field) -> bool:
    """True for dates and times that sort as text: digits and separators at fixed places."""
    shapes = {re.sub(r"\d", "9", value) for value in field.pool}
    return field.kind == "token" and len(shapes) == 1 and bool(re.fullmatch(r"(9+\D)+9+", min(shapes)))


def _determines(
    fields: Sequence[Field], rows: Sequence[Sequence[str]]
) -> tuple[tuple[int, int, tuple[tuple[str, str], ...]], ...]:
    found = []
    if len(fields) > 10:
        return ()
    for a, left in enumerate(fields):
        for b, right in enumerate(fields):
            if a == b or not (left.closed or left.pieces) or left.unique or len(right.pool) < 2:
                continue
            known: dict[str, str] = {}
            if all(known.setdefault(row[a], row[b]) == row[b] for row in rows) and len(known) * 3 <= len(rows):
                found.append((a, b, tuple(known.items())))
    return tuple(found)


def _with_order(made: Lines, tokens: list[list[list[str]]]) -> Lines:
    """The model with what rows of sections of one type show: squares, and rows that never repeat."""
    record = made.records.get("")
    if made.lengths and record and len(record.fields) == 0 and record.tail and record.tail.kind in ("int", "float"):
        squares = [section for section in tokens if section and len(section) == len(section[0])]
        if len(squares) == len(tokens) and max(map(len, squares)) >= 3:
            return _as_square(made, record, squares)
    return made


def _as_square(made: Lines, record: Record, squares: Sequence[Sequence[Sequence[str]]]) -> Lines:
    """The model as a matrix. Values of a constant diagonal are not among those of its other cells."""
    what = _matrix(squares)
    if what is None or " " not in what:
        return replace(made, matrix=what)
    cells = [[v for i, row in enumerate(square) for j, v in enumerate(row) if i != j] for square in squares]
    tail = replace(field_of(cells), rising=None, unique=False, sequence=None)
    return replace(made, matrix=what, records={"": replace(record, tail=tail)})


def _matrix(squares: Sequence[Sequence[Sequence[str]]]) -> str | None:
    symmetric = all(square[i][j] == square[j][i] for square in squares for i in range(len(square)) for j in range(i))
    diagonal = {square[i][i] for square in squares for i in range(len(square))}
    if symmetric:
        return "symmetric" + (f" {min(diagonal)}" if len(diagonal) == 1 else "")
    return f"diagonal {min(diagonal)}" if len(diagonal) == 1 and sum(map(len, squares)) >= 4 else None


def _grid_lengths(sections: Sequence[LineSection], own: frozenset[Slot]) -> tuple[Count | None, bool] | None:
    """Number that announces the length of lines that are rows of characters, if any, and True; None for other lines."""
    if any(" " in line or not line for section in sections for line in section.lines[:50]):
        return None
    if any(len({len(line) for line in section.lines}) != 1 for section in sections):
        return None
    alphabet = {character for section in sections for line in section.lines[:300] for character in line}
    for slot in _slots(sections):
        seen = {section.values[slot] for section in sections}
        fits = all(len(section.lines[0]) == section.values[slot] for section in sections)
        if fits and (max(seen) >= 4 or len(seen) > 1 or (own and max(seen) > 1 and len(alphabet) <= 4)):
            return Count((slot,)), True
    width = min(len(section.lines[0]) for section in sections)
    tall = min(len(section.lines) for section in sections)
    marks = any(not character.isalnum() for character in alphabet) or alphabet <= set("01")
    return (None, True) if width >= 2 and tall >= 2 and len(alphabet) <= 8 and marks else None


def _grid(id: int, sections: Sequence[LineSection], lengths: tuple[Count | None, bool]) -> Lines:
    counts = [Counter("".join(section.lines)) for section in sections]
    alphabet = sorted(set().union(*counts))
    area = min(len(section.lines) * len(section.lines[0]) for section in sections)
    once = "".join(c for c in alphabet if all(each[c] == 1 for each in counts)) if area >= 9 else ""
    borders = {c for section in sections for c in _border(section.lines)}
    border = min(borders) if len(borders) == 1 and area >= 16 and len(alphabet) > 1 else None
    grid = GridModel("".join(c for c in alphabet if c not in once) or once, once, border)
    return Lines(id, Splitter(None), grid=grid, lengths=lengths[0], order="free")


def _border(lines: Sequence[str]) -> str:
    return lines[0] + lines[-1] + "".join(line[0] + line[-1] for line in lines)


def _order(sections: Sequence[LineSection], beginnings: Sequence[list[str]]) -> tuple[str, str]:
    """Order of the lines (free, sorted or kept: see `Lines.order`), and the pattern that shows it."""
    if all(len(section.lines) < ENOUGH for section in sections):
        return "free", ""
    if all(_uses_what_was_defined(lines) for lines in beginnings):
        return "kept", "names are defined before they are used"
    heads = [[line.split()[:2] for line in section.lines] for section in sections]
    if all(a <= b for section in heads for a, b in pairwise(section)) and any(s[0] != s[-1] for s in heads):
        return "sorted", "lines are in order"
    return "free", ""


def _balance(sections: Sequence[list[str]]) -> tuple[tuple[str, str], ...]:
    """Pairs of leading words of which the second has at no point occurred more often than the first."""
    pairs = _word_pairs(sections) if any(len(lines) >= ENOUGH for lines in sections) else []
    return tuple(pair for pair in pairs if all(_never_below(lines, *pair) for lines in sections))


def _uses_what_was_defined(lines: Sequence[str]) -> bool:
    """True if names that begin a line (`x = ...`) occur within other lines only afterwards."""
    first_at: dict[str, int] = {}
    heads = [_IDENTIFIER.match(line) for line in lines]
    for place, match in enumerate(heads):
        if match:
            first_at.setdefault(match[0], place)
    if len(first_at) <= KEYWORDS:
        return False
    uses = 0
    for place, line in enumerate(lines):
        head = heads[place]
        for match in _IDENTIFIER.finditer(line, head.end() if head else 0):
            if match[0] in first_at:
                uses += 1
                if first_at[match[0]] > place:
                    return False
    return uses >= ENOUGH


def _word_pairs(sections: Sequence[list[str]]) -> list[tuple[str, str]]:
    counted = Counter(line.split(None, 1)[0] for lines in sections for line in lines if line.strip())
    if not 2 <= len(counted) <= KEYWORDS or any(not _IDENTIFIER.match(word) for word in counted):
        return []
    common = [word for word, many in counted.items() if many >= ENOUGH]
    return [(a, b) for a in common for b in common if a != b and counted[a] < 4 * counted[b]]


def _never_below(lines: Sequence[str], first: str, second: str) -> bool:
    """True if at no point the second word has occurred more often than the first, though it came near."""
    level, low = 0, len(lines)
    for line in lines:
        word = line.split(None, 1)[0] if line.strip() else ""
        level += (word == first) - (word == second)
        if level < 0:
            return False
        low = min(low, level) if word == second else low
    return low * low <= 4 * len(lines)


def _is_prose(rows: Sequence[str]) -> bool:
    words = [word for line in rows[:300] for word in line.split()]
    plain = sum(word.strip(".,;:!?'\"").isalpha() for word in words)
    return len(words) > 20 and plain > 0.85 * len(words) and len(words) > 4 * len(rows[:300]) and len(set(words)) > 10


def _is_settings(rows: Sequence[str]) -> bool:
    """True for lines such as `name = value` or `name: value`, each name once."""
    matches = [re.match(r"\s*([A-Za-z_][\w.-]*)\s*[=:]", line) for line in rows]
    names = [match[1] for match in matches if match]
    return len(names) == len(rows) and len(rows) >= 2 and len(set(names)) == len(names) and len(rows) <= 60
