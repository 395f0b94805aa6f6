"""Infers references: indices below a count, names defined elsewhere, numbers that never exceed a count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from maxcode.format.infer_lines import LineSection
from maxcode.format.model import (
    ColumnPair,
    Count,
    Field,
    Index,
    InputModel,
    Lines,
    Record,
    Reference,
    Repeat,
    Slot,
    walk,
)

TIGHT = 0.6
"""Share of a count that the largest index must reach to be taken for one."""
LIST = -1
"""Place that stands for the list at the end of a line."""
NAMES = -2
"""Place that stands for all fields of a line that are not numbers."""
SIZE = -1
"""Place of the pseudo-number that holds how many lines an unannounced section has."""


def with_references(format: InputModel, sections: Mapping[int, list[LineSection]]) -> InputModel:
    models = {id: _indexed(model, sections[id], format) for id, model in format.lines.items()}
    models = _named(models, sections)
    models = {id: _edges(model, sections[id], format) for id, model in models.items()}
    used = {
        slot
        for model in models.values()
        for field in fields_of(model)
        if field.index
        for slot in field.index.count.slots
    }
    counts = format.counts | used
    scalars = {slot: seen for slot, seen in format.scalars.items() if slot not in counts}
    bounds = {slot: _bounds(slot, sections, counts) for slot in scalars}
    return replace(format, lines=models, counts=frozenset(counts), scalars=scalars, bounds=bounds)


def fields_of(model: Lines) -> Iterator[Field]:
    for record in model.records.values():
        yield from record.fields
        if record.tail:
            yield record.tail


def columns(model: Lines, sections: Sequence[LineSection], key: str, place: int | None) -> list[list[str]]:
    """Values of one field (of the list, if `place` is None) in each section."""
    record, how = model.records[key], model.how
    assert how is not None
    found = []
    for section in sections:
        rows = [row for row in section.rows(how) if not key or row[0] == key]
        if place is None:
            found.append([token for row in rows for token in row[len(record.fields) :]])
        elif place == NAMES:
            places = [i for i, field in enumerate(record.fields) if field.kind in ("word", "token")]
            found.append([row[i] for row in rows for i in places])
        else:
            found.append([row[place] for row in rows])
    return found


def _indexed(model: Lines, sections: Sequence[LineSection], format: InputModel) -> Lines:
    """The model with columns marked as indices: whole numbers from 0 or 1 to a number announced before."""
    if model.how is None or model.grid:
        return model
    records = {}
    slots = set.intersection(*(set(section.values) for section in sections))
    for key, record in model.records.items():
        fields = [
            replace(field, index=_index(field, columns(model, sections, key, place), sections, slots, format))
            for place, field in enumerate(record.fields)
        ]
        tail = record.tail
        if tail:
            tail = replace(tail, index=_index(tail, columns(model, sections, key, None), sections, slots, format))
        records[key] = replace(record, fields=tuple(fields), tail=tail)
    return replace(model, records=records)


def _index(
    field: Field, values: list[list[str]], sections: Sequence[LineSection], slots: set[Slot], format: InputModel
) -> Index | None:
    if field.kind != "int" or field.low < 0 or field.low > 1 + field.high // 3 or field.width or field.sequence:
        return None
    found: list[tuple[float, Index]] = []
    filled = [(section, list(map(int, column))) for section, column in zip(sections, values, strict=True) if column]
    for slot in slots:
        if slot[1] == SIZE:
            continue
        pairs = [(section.values[slot], max(column)) for section, column in filled]
        needed = TIGHT if slot in format.counts else 0.9
        near = sum(high >= needed * count for count, high in pairs)
        if any(high > count for count, high in pairs) or 2 * near < len(pairs) or max(c for c, _ in pairs) < 2:
            continue
        low = min(1, int(field.low))
        plus = 0 if any(high == count for count, high in pairs) else -1
        found.append((sum(count for count, _ in pairs), Index(Count((slot,)), low, plus)))
    return min(found, key=lambda each: each[0])[1] if found else None


def _named(models: dict[int, Lines], sections: Mapping[int, list[LineSection]]) -> dict[int, Lines]:
    """The models with fields marked as references whose values all occur in a field without repetitions."""
    keys = list(_keys(models))
    defined = {
        (id, key, place): [set(column) for column in columns(models[id], sections[id], key, place)]
        for id, key, place in keys
    }
    made = {}
    for id, model in models.items():
        records = {}
        for key, record in model.records.items():
            fields = []
            for place, field in enumerate(record.fields):
                found = _reference(field, (id, key, place), models, sections, defined)
                # names drawn from many others rarely repeat: that shows no rule
                fields.append(replace(field, reference=found, unique=False) if found else field)
            tail = record.tail
            if tail:
                tail = replace(tail, reference=_reference(tail, (id, key, None), models, sections, defined))
            records[key] = replace(record, fields=tuple(fields), tail=tail)
        made[id] = replace(model, records=records)
    return made


def _keys(models: Mapping[int, Lines]) -> Iterator[tuple[int, str, int | None]]:
    for id, model in models.items():
        if model.grid is None and model.how is not None:
            for key, record in model.records.items():
                if sum(field.kind in ("word", "token") for field in record.fields) > 1:
                    yield id, key, NAMES
                for place, field in enumerate(record.fields):
                    if field.unique or (key and place == 1 and field.kind in ("word", "token")):
                        yield id, key, place
                if record.tail and record.distinct_tail and record.tail.kind in ("word", "token"):
                    yield id, key, None


def _reference(
    field: Field,
    own: tuple[int, str, int | None],
    models: Mapping[int, Lines],
    sections: Mapping[int, list[LineSection]],
    defined: Mapping[tuple[int, str, int | None], list[set[str]]],
) -> Reference | None:
    if field.index or field.sequence or field.kind in ("float", "digits") or len(field.pool) < 2:
        return None
    for target, sets in sorted(defined.items(), key=lambda each: each[0][2] == NAMES):
        names = sum(map(len, sets))
        if field.unique and (target[0] == own[0] or len(field.pool) ** 2 > 6 * names):
            continue
        if target == own or names < 2 or target[0] > own[0] or target[::2] == (own[0], NAMES):
            continue
        if not all(any(value in names for names in sets) for value in field.pool[:40]):
            continue
        values = columns(models[own[0]], sections[own[0]], own[1], own[2])
        scopes = sets if len(sets) == len(values) else [set().union(*sets)] * len(values)
        whole = models[own[0]].records[own[1]]
        if target[0] == own[0] and field.kind == "int" and len(whole.fields) < 2:
            continue
        if all(set(column) <= known for column, known in zip(values, scopes, strict=True)):
            place = target[2] if target[2] is not None else LIST
            return Reference(target[0], target[1], place, target[0] == own[0])
    return None


def _edges(model: Lines, sections: Sequence[LineSection], format: InputModel) -> Lines:
    """The model with rows of two references marked as edges: never to themselves, never twice, a tree, where that was
    so."""
    record = model.records.get("")
    if record is None or record.tail or len(model.records) > 1 or len(record.fields) < 2:
        return model
    first, second = record.fields[:2]
    same = first.index is not None and second.index is not None and first.index.count == second.index.count
    named = first.reference is not None and first.reference == second.reference
    if not same and not named:
        return model
    left, right = (columns(model, sections, "", place) for place in (0, 1))
    pairs = [list(zip(a, b, strict=True)) for a, b in zip(left, right, strict=True)]
    distinct = all(a != b for section in pairs for a, b in section)
    single = all(len({frozenset(pair) for pair in section}) == len(section) for section in pairs)
    known = {frozenset((pair.a, pair.b)) for pair in record.pairs}
    extra = (ColumnPair(0, 1, "!="),) if distinct and frozenset((0, 1)) not in known else ()
    made = replace(record, edges=single, pairs=record.pairs + extra)
    tree = same and all(_is_tree(section) for section in pairs) and _one_less(model, format)
    if same and not tree:
        made = _alike_bounds(made)
    return replace(model, records={"": made}, tree=tree)


def _alike_bounds(record: Record) -> Record:
    """The record with the same bounds for both ends of an edge."""
    one, two = record.fields[0].index, record.fields[1].index
    assert one is not None and two is not None
    both = Index(one.count, min(one.low, two.low), max(one.plus, two.plus))
    fields = tuple(replace(f, index=both) if place < 2 else f for place, f in enumerate(record.fields))
    return replace(record, fields=fields)


def _one_less(model: Lines, format: InputModel) -> bool:
    for node in walk(format.nodes):
        if isinstance(node, Repeat) and node.line and node.line.id == model.id:
            return node.count is not None and node.count.plus == -1
    return False


def _is_tree(edges: Sequence[tuple[str, str]]) -> bool:
    root: dict[str, str] = {}

    def find(name: str) -> str:
        while root.get(name, name) != name:
            root[name] = root.get(root[name], root[name])
            name = root[name]
        return name

    for a, b in edges:
        x, y = find(a), find(b)
        if x == y:
            return False
        root[x] = y
    return True


def _bounds(slot: Slot, sections: Mapping[int, list[LineSection]], counts: frozenset[Slot]) -> tuple[Count, ...]:
    """Counts that a number has never exceeded, wherever both are known."""
    later = [s.values for id in sections for s in sections[id] if slot in s.values]
    if not later:
        return ()
    known = set.intersection(*map(set, (v.keys() for v in later)))
    limits = {other for other in known if (other in counts or other[1] == SIZE) and other != slot}
    sizes = [(s.values, len(s.lines)) for id in sections for s in sections[id] if slot in s.values]
    found = [Count((other,)) for other in limits if all(v[slot] <= v[other] for v, _ in sizes)]
    return tuple(found)
