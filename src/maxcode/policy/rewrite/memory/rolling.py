"""Memory: a table of which only two rows are needed at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import Loop, loops
from maxcode.policy.rewrite.analysis.support import function_name
from maxcode.policy.rewrite.analysis.variables import CHANGED, Mention, factor, masked
from maxcode.policy.rewrite.memory.grids import TableUse, grids, nested, squeezed
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation


@dataclass(frozen=True)
class GridSweep:
    """The loop that fills a grid row by row, each from the one before."""

    source: SourceFile
    grid: TableUse
    loop: Loop
    shift: int
    """0 where the loop fills row i, 1 where it fills row i + 1."""

    @property
    def new(self) -> str:
        return self.loop.variable + ("+1" if self.shift else "")

    @property
    def old(self) -> str:
        return self.loop.variable + ("" if self.shift else "-1")

    @property
    def first(self) -> int:
        """The row that is there before the first round."""
        return int(self.loop.start) - 1 + self.shift

    @property
    def last(self) -> set[str]:
        """The row that the last round fills, in the ways it may be written."""
        end = squeezed(self.loop.end)
        steps = self.shift - (self.loop.comparison == "<")
        if steps == 0:
            return {end}
        shorter = {end.removesuffix("+1")} if end.endswith("+1") and steps < 0 else set()
        return {f"{end}+1" if steps > 0 else f"{end}-1"} | shorter

    @property
    def within(self) -> list[Mention]:
        return [each for each in self.grid.mentions if self.loop.node.start_byte < each.at < self.loop.node.end_byte]

    @property
    def early(self) -> list[Mention]:
        return [each for each in self.grid.mentions if each.at < self.loop.node.start_byte]

    @property
    def late(self) -> list[Mention]:
        return [each for each in self.grid.mentions if each.at > self.loop.node.end_byte]


def _roll(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for grid in grids(source):
        for sweep in _sweeps(source, grid):
            edits = _rolled(sweep)
            if edits is not None:
                yield Rewrite(sweep.loop.line, tuple(edits))
                break


def _sweeps(source: SourceFile, grid: TableUse) -> Iterator[GridSweep]:
    """Loops in the block of the grid, or in main for one of the file."""
    for loop in loops(source):
        function = enclosing(loop.node, "function_definition")
        body = function.child_by_field_name("body") if function is not None else None
        home = body if grid.variable.is_global else grid.variable.scope
        if home is None or loop.node.parent != home or not loop.rises_by_one or not re.fullmatch(r"\d+", loop.start):
            continue
        if grid.variable.is_global and (function is None or function_name(source, function) != "main"):
            continue
        yield from (GridSweep(source, grid, loop, shift) for shift in (0, 1))


def _rolled(sweep: GridSweep) -> list[Edit] | None:
    source, grid = sweep.source, sweep.grid
    rows = {grid.row(each) for each in sweep.within}
    if sweep.new not in rows or not rows <= {sweep.old, sweep.new} or nested(grid.mentions):
        return None
    if not sweep.late or any(grid.row(each) not in sweep.last for each in sweep.late) or not _bound_stays(sweep):
        return None
    columns = _first_columns(sweep)
    covered = [e for loop in columns for e in sweep.early if loop.node.start_byte < e.at < loop.node.end_byte]
    single = [each for each in (*sweep.early, *sweep.late) if each not in covered]
    if any(grid.row(each) != str(sweep.first) for each in single if each in sweep.early):
        return None
    old, new = source.fresh(f"{grid.name}_before"), source.fresh(f"{grid.name}_row")
    edits = [_two_rows(sweep, old, new)]
    edits += [Edit(each.at, each.end, f"{new}[{grid.column(each)}]") for each in single]
    for each in sweep.within:
        edits.append(Edit(each.at, each.end, f"{new if grid.row(each) == sweep.new else old}[{grid.column(each)}]"))
    return [*edits, *_start_of_round(sweep, old, new, columns), *source.including("vector")]


def _bound_stays(sweep: GridSweep) -> bool:
    names = re.findall(r"[A-Za-z_]\w*", sweep.loop.end)
    text = masked(sweep.source)[sweep.loop.node.start_byte : sweep.grid.variable.scope.end_byte]
    return not any(re.search(rf"(?<![\w.]){each}{CHANGED}|>>\s*{each}\b|--\s*{each}\b", text) for each in names)


def _two_rows(sweep: GridSweep, old: str, new: str) -> Edit:
    grid = sweep.grid
    made = f"({grid.columns}, {grid.fill})" if grid.fill is not None else f"({grid.columns})"
    text = f"{sweep.source.std}vector<{grid.element}> {old}{made}, {new}{made};"
    return sweep.source.replace(grid.variable.declaration, text)


def _first_columns(sweep: GridSweep) -> list[Loop]:
    """Loops before the sweep that set one fixed element of each row, from the first to the last."""
    found = []
    for loop in loops(sweep.source):
        if loop.node.parent != sweep.loop.node.parent or loop.node.start_byte > sweep.loop.node.start_byte:
            continue
        if len(loop.statements) != 1 or not loop.rises_by_one or not re.fullmatch(r"\d+", loop.start):
            continue
        statement = squeezed(sweep.source.text(loop.statements[0]))
        match = re.fullmatch(rf"{sweep.grid.name}\[{loop.variable}\]\[(\w+)\]=([^=(]*);", statement)
        end = squeezed(loop.end) + ("-1" if loop.comparison == "<" else "")
        to_the_last = {end, end.removesuffix("+1-1")} & sweep.last
        plain = match and sweep.grid.name not in match[2] and match[1] != loop.variable
        if plain and to_the_last and 0 <= int(loop.start) - sweep.first <= 1:
            found.append(loop)
    return found


def _start_of_round(sweep: GridSweep, old: str, new: str, columns: list[Loop]) -> Iterator[Edit]:
    """Edits at the start of each round: a fresh row, with the elements that other loops had set in it."""
    source, grid, body, indent = sweep.source, sweep.grid, sweep.loop.body, sweep.loop.indent
    inner = indent + ("\t" if "\t" in indent else "    ")
    lines = [f"{source.std}swap({old}, {new});"]
    if sweep.early or not _always_written(sweep):
        value = grid.fill if grid.fill is not None else f"{grid.element}()" if " " not in grid.element else "0"
        lines.append(f"{source.std}fill({new}.begin(), {new}.end(), {value});")
    for loop in columns:
        statement = re.sub(r"^\w+\s*\[[^\]]*\]", new, source.text(loop.statements[0]))
        row = sweep.loop.variable + (" + 1" if sweep.shift else "")
        lines.append(re.sub(rf"\b{loop.variable}\b", factor(row), statement))
        once = re.sub(rf"\b{loop.variable}\b", str(sweep.first), statement)
        yield source.replace(loop.node, once) if int(loop.start) == sweep.first else source.remove_line(loop.node)
    front = "".join(f"\n{inner}{line}" for line in lines)
    if body.type == "compound_statement":
        yield Edit(body.start_byte + 1, body.start_byte + 1, front)
    else:
        gap = sweep.loop.node.start_byte + len(sweep.loop.header.encode())
        yield Edit(gap, body.start_byte, f" {{{front}\n{inner}")
        yield Edit(body.end_byte, body.end_byte, f"\n{indent}}}")
    yield from source.including("algorithm")


def _always_written(sweep: GridSweep) -> bool:
    """Whether no element of the new row is read before this round writes it: every path of the inner loop sets it."""
    grid, inner = sweep.grid, sweep.loop.inner
    if inner is None or not inner.rises_by_one or inner.jumps:
        return False
    text = masked(sweep.source)
    for each in sweep.within:
        column = squeezed(grid.column(each))
        if grid.row(each) != sweep.new:
            continue
        expected = inner.variable if re.match(r"\s*=(?!=)", text[each.end :]) else rf"{inner.variable}-\w+"
        if not re.fullmatch(expected, column):
            return False
    return _sets(sweep, f"{grid.name}[{sweep.new}][{inner.variable}]=", inner.statements)


def _sets(sweep: GridSweep, target: str, nodes: list[Node]) -> bool:
    """Whether each way through some statements assigns the target."""
    for node in nodes:
        text = squeezed(sweep.source.text(node))
        if node.type == "expression_statement" and text.startswith(target) and text[len(target)] != "=":
            return True
        branches = [node.child_by_field_name(name) for name in ("consequence", "alternative")]
        if node.type == "if_statement" and all(b is not None and _sets(sweep, target, _branch(b)) for b in branches):
            return True
    return False


def _branch(node: Node) -> list[Node]:
    if node.type not in ("compound_statement", "else_clause"):
        return [node]
    inner = node.named_children
    return _branch(inner[0]) if len(inner) == 1 and inner[0].type == "compound_statement" else inner


TRANSFORMATIONS = (
    Transformation(
        name="rolling-rows",
        family="memory",
        summary="Keeps the last two rows of a table whose rows depend on the one before alone.",
        find=_roll,
        example=RewriteExample(
            before="""
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;
int main() {
    string a = "kitten", b = "sitting";
    int n = a.size(), m = b.size();
    vector<vector<int>> common(n + 1, vector<int>(m + 1, 0));
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= m; j++) {
            if (a[i - 1] == b[j - 1]) {
                common[i][j] = common[i - 1][j - 1] + 1;
            } else {
                common[i][j] = max(common[i - 1][j], common[i][j - 1]);
            }
        }
    }
    cout << common[n][m];
}
""",
            after="""
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;
int main() {
    string a = "kitten", b = "sitting";
    int n = a.size(), m = b.size();
    vector<int> common_before(m + 1, 0), common_row(m + 1, 0);
    for (int i = 1; i <= n; i++) {
        swap(common_before, common_row);
        for (int j = 1; j <= m; j++) {
            if (a[i - 1] == b[j - 1]) {
                common_row[j] = common_before[j - 1] + 1;
            } else {
                common_row[j] = max(common_before[j], common_row[j - 1]);
            }
        }
    }
    cout << common_row[m];
}
""",
        ),
        languages=CPP,
        answers=("nested-vectors", "cache-misses", "allocation"),
        prior=2.0,
        refusals=(
            "#include <vector>\nusing namespace std;\nint f(int n) {\n"
            "    vector<vector<int>> x(n, vector<int>(n, 1));\n    for (int i = 2; i < n; i++) {\n"
            "        for (int j = 0; j < n; j++) {\n            x[i][j] = x[i - 1][j] + x[i - 2][j];\n"
            "        }\n    }\n    return x[n - 1][0];\n}\n",
            "#include <vector>\nusing namespace std;\nint f(int n, int k) {\n"
            "    vector<vector<int>> x(n, vector<int>(n, 1));\n    for (int i = 1; i < n; i++) {\n"
            "        for (int j = 0; j < n; j++) {\n            x[i][j] = x[i - 1][j] + 1;\n        }\n    }\n"
            "    return x[k][0];\n}\n",
        ),
    ),
)
