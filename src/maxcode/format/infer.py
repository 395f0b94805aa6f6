"""The format of given inputs: structure first, then what each line holds, then what refers to what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from maxcode.format.infer_lines import LineSection, lines_model
from maxcode.format.infer_references import SIZE, with_references
from maxcode.format.infer_structure import HEADER_NUMBERS, readings, slots_of
from maxcode.format.model import (
    Cases,
    InputModel,
    LineModel,
    Lines,
    Node,
    Part,
    Repeat,
    Rows,
    SingleLine,
    Slot,
    Values,
    parse,
    walk,
)
from maxcode.format.tokens import DELIMITERS, header_numbers, kind_of, shape_of


def infer(texts: Sequence[str]) -> InputModel:
    """Format with the relations that all given inputs keep. It has no nodes, but a note, where there is no text."""
    texts = [text for text in texts if text]
    if not texts:
        return InputModel((), {}, (), note="the input is empty")
    if any("\0" in text for text in texts):
        return InputModel((), {}, (), note="the input is not text")
    ending = "\r\n" if all("\r\n" in text for text in texts) else "\n"
    split = [text.removesuffix(ending).split(ending) for text in texts]
    nodes = _structure(split)
    given = []
    sections: dict[int, list[LineSection]] = {}
    for lines in split:
        parsed = parse(nodes, lines, 0, {}, [header_numbers(line) for line in lines])
        assert parsed is not None
        given.append(parsed[0])
        _collect(parsed[0], {}, sections)
    return _described(nodes, tuple(given), sections, ending, all(t.endswith(ending) for t in texts))


def _structure(split: Sequence[Sequence[str]]) -> tuple[Node, ...]:
    """Likeliest reading of the first text that fits the others too, title and ending set apart.

    A reading that takes headers for records of cases, as counts that fit by chance do, comes after all others.
    """
    mixed: tuple[Node, ...] | None = None
    for nodes in readings(split[0]):
        nodes = _set_apart(nodes, split)
        if all(_fits(nodes, lines) for lines in split):
            if not _mixes(nodes, split[0]):
                return nodes
            mixed = mixed or nodes
    return mixed or (Repeat(0, None, (LineModel(1),)),)


def _mixes(nodes: Sequence[Node], lines: Sequence[str]) -> bool:
    """True if records of cases are lone numbers in some places and lines that begin with words in others."""
    if not any(isinstance(node, Repeat) and node.line is None for node in nodes):
        return False
    found = parse(nodes, lines, 0, {}, [header_numbers(line) for line in lines])
    sections: dict[int, list[LineSection]] = {}
    _collect(found[0] if found else [], {}, sections)
    for each in sections.values():
        shapes = {shape_of(line) for section in each for line in section.lines}
        if (1, "i") in shapes and any(shape[1:2] == ("w",) for shape in shapes):
            return True
    return False


def _fits(nodes: Sequence[Node], lines: Sequence[str]) -> bool:
    found = parse(nodes, lines, 0, {}, [header_numbers(line) for line in lines])
    return found is not None and found[1] == len(lines)


def _set_apart(nodes: tuple[Node, ...], split: Sequence[Sequence[str]]) -> tuple[Node, ...]:
    """The nodes, with a line of titles and an ending line split off from unannounced lines up to the end."""
    last = nodes[-1]
    if not isinstance(last, Repeat) or last.count is not None or last.line is None:
        return nodes
    new = max((node.id for node in walk(nodes)), default=0) + 1
    before: tuple[Node, ...] = nodes[:-1]
    if len(nodes) == 1 and all(_has_title(lines) for lines in split):
        before = (LineModel(new),)
    start = [len(lines) - len(_rest(nodes, lines)) + len(before) - len(nodes) + 1 for lines in split]
    if all(_has_end(lines[at:]) for at, lines in zip(start, split, strict=True)):
        return (*before, replace(last, leave=1), LineModel(new + 1))
    return (*before, last)


def _rest(nodes: Sequence[Node], lines: Sequence[str]) -> list[str]:
    found = parse(nodes, lines, 0, {}, [header_numbers(line) for line in lines])
    part = found[0][-1] if found else None
    return part.lines if isinstance(part, Rows) else []


def _has_title(lines: Sequence[str]) -> bool:
    """True if the first line names columns: words only, separated like the fields of the lines that follow."""
    for delimiter in DELIMITERS:
        if len(lines) > 1 and delimiter in lines[0] and all(delimiter in line for line in lines[:20]):
            names = [name.strip() for name in lines[0].split(delimiter)]
            return len(set(names)) == len(names) and all(kind_of(name) == "w" for name in names)
    kinds = [list(map(kind_of, line.split())) for line in lines[:20]]
    worded = len(kinds) > 2 and set(kinds[0]) == {"w"} and len(kinds[0]) > 1
    return worded and all(len(k) == len(kinds[0]) and k != kinds[0] for k in kinds[1:])


def _has_end(lines: Sequence[str]) -> bool:
    """True if the last line is unlike all others: another number of tokens, another kind, or a value of its own."""
    if len(lines) < 4:
        return False
    *others, last = lines
    tokens = last.split()
    shape = [kind_of(token) for token in tokens]
    if len(set(tokens)) == 1 and tokens[0] in ("0", "-1"):
        return all(other.split()[: len(tokens)] != tokens for other in others)
    sizes = {len(other.split()) for other in others}
    if len(sizes) == 1 and len(tokens) not in sizes:
        return len(tokens) <= 1
    return len(tokens) == 1 and shape == ["w"] and all(kind_of(other.split()[0]) != "w" for other in others if other)


def _collect(parts: Sequence[Part], values: Values, sections: dict[int, list[LineSection]]) -> None:
    """Notes the lines of each place with the numbers announced before them."""
    for part in parts:
        if isinstance(part, SingleLine):
            sections.setdefault(part.id, []).append(LineSection([part.text], dict(values)))
            for place, number in enumerate(header_numbers(part.text)):
                values[part.id, place] = number
        elif isinstance(part, Rows):
            if part.node.count is None:
                values[part.node.id, SIZE] = len(part.lines)
            sections.setdefault(part.id, []).append(LineSection(part.lines, dict(values)))
        elif isinstance(part, Cases):
            for case in part.cases:
                _collect(case, values, sections)
        else:
            sections.setdefault(part.node.id, []).append(LineSection([" ".join(part.tokens)], dict(values)))


def _endings(nodes: Sequence[Node]) -> set[int]:
    """Ids of lines after a section that only they end."""
    places = [place for place, node in enumerate(nodes) if isinstance(node, Repeat) and node.leave]
    return {node.id for place in places for node in nodes[place + 1 :] if isinstance(node, LineModel)}


def _described(
    nodes: tuple[Node, ...],
    given: tuple[list[Part], ...],
    sections: Mapping[int, list[LineSection]],
    ending: str,
    final: bool,
) -> InputModel:
    counts = slots_of(nodes)
    own = {}
    singles = set()
    for node in walk(nodes):
        if isinstance(node, Repeat):
            if node.line:
                own[node.line.id] = frozenset(node.count.slots) if node.count else frozenset()
        elif isinstance(node, LineModel) and node.id not in own:
            singles.add(node.id)
    models: dict[int, Lines] = {}
    fixed = _endings(nodes)
    for id, found in sections.items():
        if id in fixed:
            continue
        heads = {slot for slot in counts if slot[0] == id}
        if heads:
            continue
        # numbers of a line that is a list announce nothing
        found = [LineSection(s.lines, {k: v for k, v in s.values.items() if k[0] not in models}) for s in found]
        made = lines_model(id, found, own.get(id, frozenset()))
        if id in singles and _is_scalars(found) and not made.lengths:
            continue
        if id in singles and not _is_list(made):
            fixed.add(id)
            continue
        models[id] = made
        if made.lengths:
            counts |= set(made.lengths.slots)
    scalars = _scalars(sections, singles - set(models) - fixed, counts)
    sections = {
        id: [LineSection(s.lines, {k: v for k, v in s.values.items() if k[0] not in models}) for s in found]
        for id, found in sections.items()
    }
    format = InputModel(nodes, models, given, ending, frozenset(counts), scalars, {}, frozenset(fixed), final)
    return with_references(format, sections)


def _is_scalars(found: Sequence[LineSection]) -> bool:
    """True if a single line is a few numbers, with or without names."""
    lines = [line for section in found for line in section.lines]
    return all(1 <= len(header_numbers(line)) <= HEADER_NUMBERS for line in lines if line)


def _is_list(made: Lines) -> bool:
    if made.grid:
        return True
    return any(record.tail is not None for record in made.records.values())


def _scalars(
    sections: Mapping[int, list[LineSection]], singles: set[int], counts: set[Slot]
) -> dict[Slot, tuple[int, ...]]:
    found: dict[Slot, list[int]] = {}
    for id in singles:
        for section in sections.get(id, []):
            for place, number in enumerate(header_numbers(section.lines[0])):
                if (id, place) not in counts:
                    found.setdefault((id, place), []).append(number)
    return {slot: tuple(seen) for slot, seen in found.items()}
