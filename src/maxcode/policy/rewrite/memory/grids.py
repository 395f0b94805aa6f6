"""Memory: tables of two dimensions, and keeping them in one piece."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from maxcode.policy.rewrite.analysis.variables import (
    Mention,
    Variable,
    arguments,
    factor,
    resolved,
    split,
    summand,
    variables,
)
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation


@dataclass(frozen=True)
class TableUse:
    """A table of two dimensions whose every use is one element."""

    variable: Variable
    element: str
    rows: str
    columns: str
    fill: str | None
    mentions: tuple[Mention, ...]

    @property
    def name(self) -> str:
        return self.variable.name

    def row(self, mention: Mention) -> str:
        return squeezed(self.variable.text(mention.indices[0]))

    def column(self, mention: Mention) -> str:
        return self.variable.text(mention.indices[1]).strip()


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def grids(source: SourceFile) -> Iterator[TableUse]:
    for variable in variables(source):
        if variable.alone and "static" not in variable.type and "const" not in variable.type:
            shape = _shape(source, variable)
            mentions = variable.mentions if shape else None
            if shape and mentions and all(len(each.indices) == 2 for each in mentions):
                yield TableUse(variable, *shape, tuple(mentions))


def _shape(source: SourceFile, variable: Variable) -> tuple[str, str, str, str | None] | None:
    """Element type, rows, columns and first value."""
    plain = re.fullmatch(r"\[([^\[\]]+)\]\s*\[([^\[\]]+)\]", variable.rest)
    if plain and variable.is_global:
        return variable.type, plain[1].strip(), plain[2].strip(), None
    row = arguments(resolved(source, variable.type), "vector")
    inner = arguments(row[0], "vector") if row and len(row) == 1 else None
    whole = re.fullmatch(r"(?:=\s*[\w:<>\s]+)?\((.*)\)", variable.rest, re.DOTALL)
    given = split(whole[1]) if whole else []
    made = re.fullmatch(r"([\w:<>\s]+?)\s*\((.*)\)", given[1], re.DOTALL) if len(given) == 2 else None
    if not row or not inner or not made or len(inner) != 1 or resolved(source, made[1]) != row[0]:
        return None
    sizes = split(made[2])
    raw = re.search(r"vector\s*<\s*(?:std::)?vector\s*<(.*?)>\s*>$", variable.type)
    element = raw[1].strip() if raw else inner[0]
    if not 1 <= len(sizes) <= 2 or re.search(r"vector|<", inner[0]) or inner[0] == "bool":
        return None
    return element, given[0], sizes[0], sizes[1] if len(sizes) == 2 else None


def nested(mentions: tuple[Mention, ...]) -> bool:
    """Whether one use stands in a subscript of another."""
    return any(a.at < b.at < a.end for a in mentions for b in mentions)


def overlap(edits: tuple[Edit, ...]) -> bool:
    ordered = sorted(edits, key=lambda edit: edit.start)
    return any(a.end > b.start for a, b in pairwise(ordered))


def _flatten(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    found = []
    for grid in grids(source):
        if not grid.variable.rest.startswith("[") and not nested(grid.mentions):
            found.append((source.line(grid.variable.declaration), _flat_edits(source, grid)))
    every = tuple(edit for _, edits in found for edit in edits)
    if len(found) > 1 and not overlap(every):
        yield Rewrite(found[0][0], every, "all", 2.0)
    for line, edits in found:
        yield Rewrite(line, tuple(edits))


def _flat_edits(source: SourceFile, grid: TableUse) -> list[Edit]:
    variable, width, front = grid.variable, grid.columns, ""
    if not re.fullmatch(r"\w+", width) or variable.changed_after(width):
        width = source.fresh(f"{grid.name}_width")
        front = f"const size_t {width} = {grid.columns};\n{source.indent(variable.declaration)}"
    fill = f", {grid.fill}" if grid.fill is not None else ""
    vector = f"{source.std}vector<{grid.element}>"
    made = f"{front}{vector} {grid.name}({factor(grid.rows)} * {width}{fill});"
    edits = [source.replace(variable.declaration, made)]
    for mention in grid.mentions:
        row, column = (variable.text(span) for span in mention.indices)
        edits.append(Edit(mention.at, mention.end, f"{grid.name}[{factor(row)} * {width} + {summand(column)}]"))
    return edits


TRANSFORMATIONS = (
    Transformation(
        name="flatten-nested-vectors",
        family="memory",
        summary="Keeps a vector of vectors as one vector, row behind row.",
        find=_flatten,
        example=RewriteExample(
            before="""
#include <iostream>
#include <vector>
using namespace std;
int main() {
    int n = 3;
    vector<vector<long long>> distance(n, vector<long long>(n + 1, 7));
    for (int i = 0; i < n; i++) {
        distance[i][i + 1] = 0;
    }
    cout << distance[n - 1][n] << distance[0][0];
}
""",
            after="""
#include <iostream>
#include <vector>
using namespace std;
int main() {
    int n = 3;
    const size_t distance_width = n + 1;
    vector<long long> distance(n * distance_width, 7);
    for (int i = 0; i < n; i++) {
        distance[i * distance_width + i + 1] = 0;
    }
    cout << distance[(n - 1) * distance_width + n] << distance[0 * distance_width + 0];
}
""",
        ),
        languages=CPP,
        answers=("nested-vectors", "cache-misses", "allocation"),
        refusals=(
            "#include <vector>\nusing namespace std;\nint f(int n) {\n"
            "    vector<vector<int>> x(n, vector<int>(n, 0));\n    x[0].push_back(1);\n    return x[0][n];\n}\n",
        ),
    ),
)
