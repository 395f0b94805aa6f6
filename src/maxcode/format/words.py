"""The model in plain words, one line for each relation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from maxcode.format.model import Count, Field, InputModel, LineModel, Lines, Node, Repeat, TokenFlow


def words(format: InputModel) -> list[str]:
    if not format.nodes:
        return [format.note or "no model"]
    return list(_Words(format).all())


class _Words:
    def __init__(self, format: InputModel) -> None:
        self.format = format
        self.names: dict[tuple[int, int], str] = {}

    def all(self) -> Iterator[str]:
        yield from self._nodes(self.format.nodes, "")

    def _nodes(self, nodes: Sequence[Node], indent: str) -> Iterator[str]:
        for node in nodes:
            if isinstance(node, LineModel):
                yield indent + self._line(node.id)
            elif isinstance(node, TokenFlow):
                yield f"{indent}{self._count(node.count)} tokens over several lines"
            elif node.line:
                yield indent + self._often(node) + " of " + self._about(node.line.id)
                yield from self._details(self.format.lines.get(node.line.id), indent + "  ")
            else:
                often = f"{self._count(node.count)} times:" if node.count else "until the end:"
                yield indent + often
                yield from self._nodes(node.body, indent + "  ")

    def _often(self, node: Repeat) -> str:
        return f"{self._count(node.count)} lines" if node.count else "lines up to the end"

    def _line(self, id: int) -> str:
        slots = sorted(s for s in {*self.format.counts, *self.format.scalars} if s[0] == id)
        if id in self.format.fixed or (not slots and id not in self.format.lines):
            return "a line that stays as it is"
        if id in self.format.lines:
            return "a line of " + self._about(id)
        parts = []
        for slot in slots:
            name = self._name(slot)
            limits = [self._count(limit) for limit in self.format.bounds.get(slot, ()) if limit.slots[0][1] >= 0]
            role = "a count" if slot in self.format.counts else "a number that counts nothing"
            parts.append(f"{name} ({role}{', at most ' + ' and '.join(limits) if limits else ''})")
        return "a line with " + ", ".join(parts)

    def _name(self, slot: tuple[int, int]) -> str:
        if slot not in self.names:
            letters = "nmqkpabcdefghijlorstuvwxyz"
            taken = len(self.names)
            self.names[slot] = letters[taken] if taken < len(letters) else f"n{taken}"
        return self.names[slot]

    def _count(self, said: Count | None) -> str:
        if said is None:
            return "any number of"
        text = (" * " if said.product else " + ").join(self._name(slot) for slot in said.slots)
        return f"{text} {'+' if said.plus > 0 else '-'} {abs(said.plus)}" if said.plus else text

    def _about(self, id: int) -> str:
        model = self.format.lines.get(id)
        if model is None or (model.how is None and not model.prose):
            return "text kept whole"
        if model.prose:
            return "prose"
        if model.grid:
            width = f"{self._count(model.lengths)} " if model.lengths else "equally many "
            return f"{width}characters of {model.grid.alphabet!r}" + (
                f", each of {model.grid.once!r} once" if model.grid.once else ""
            )
        if model.lengths:
            fixed = len(model.records[""].fields)
            return f"{f'{fixed} fields and ' if fixed else ''}{self._count(model.lengths)} tokens"
        if len(model.records) > 1:
            return f"{len(model.records)} types, told apart by their first word"
        record = model.records[""]
        listed = ""
        if record.tail:
            listed = " and as many tokens as one of them says" if record.counted_by is not None else " and a list"
        return f"{len(record.fields)} field{'s' * (len(record.fields) != 1)}{listed}"

    def _details(self, model: Lines | None, indent: str) -> Iterator[str]:
        if model is None:
            return
        if model.order != "free":
            kept = "only the end may be cut" if model.order == "kept" else "lines may be left out, not moved"
            yield f"{indent}in order ({model.why}): {kept}"
        for first, second in model.balance:
            yield f"{indent}there are never more {second} than {first} before"
        if model.tree:
            yield f"{indent}the edges of a tree"
        if model.matrix:
            yield f"{indent}a matrix: {model.matrix}"
        if model.all_needed:
            yield f"{indent}each line is needed"
        for key, record in model.records.items():
            fields = [*record.fields, *([record.tail] if record.tail else [])]
            for place, field in enumerate(fields):
                name = "list" if place == len(record.fields) else f"field {place + 1}"
                yield f"{indent}{key + ' ' if key else ''}{name}: {self._field(field)}"
            for pair in record.pairs:
                yield f"{indent}{key + ' ' if key else ''}field {pair.a + 1} {pair.relation} field {pair.b + 1}"

    def _field(self, field: Field) -> str:
        if field.sequence:
            return f"numbered from {field.sequence[0]}{field.sequence[1]} on"
        parts = [_kind(field)]
        if field.index:
            parts = [f"an index from {field.index.low} to {self._count(field.index.count)}"]
            parts[0] += " - 1" if field.index.plus else ""
        if field.reference:
            parts.append("occurs in an earlier section" if not field.reference.earlier else "occurs among these lines")
        if field.unique:
            parts.append("no value twice")
        if field.rising:
            parts.append(f"{field.rising} from line to line")
        return ", ".join(parts)


def _kind(field: Field) -> str:
    if len(field.pool) == 1:
        return f"always {field.pool[0]!r}"
    if field.kind == "int" and not field.closed:
        return (
            f"whole numbers from {field.low:g} to {field.high:g}"
            if field.high < 1e6
            else (f"whole numbers from {int(field.low)} to {int(field.high)}")
        )
    if field.kind == "float" and not field.closed:
        return f"numbers with {field.decimals} decimals from {field.low:g} to {field.high:g}"
    some = ", ".join(field.pool[:3])
    return {"digits": "long numbers", "word": "words"}.get(field.kind, "values") + f" such as {some}"[:60]
