"""Memory: tables and buffers of a function that outlive its calls."""

from __future__ import annotations

import re
from collections.abc import Iterator

from maxcode.policy.rewrite.analysis.effects import INTEGRAL, type_of
from maxcode.policy.rewrite.analysis.read_only import only_read
from maxcode.policy.rewrite.analysis.support import entered, function_name
from maxcode.policy.rewrite.analysis.variables import Variable, arguments, masked, resolved, split, variables
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_CONTAINER = re.compile(r"(?:const )?(?:vector|map|set|unordered_map|unordered_set|array|string|w?regex)\b")
_PATTERN = re.compile(r"(?:std::)?w?regex(?:_constants)?(?:::\w+)?|R\"(?s:(\w*)\(.*?\)\1)\"|[()|]")
_LITERAL = re.compile(r"[\s{},+-]|\d[\w.']*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+'|true|false")


def _tables(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`static const` in front of local tables of literals that are only read."""
    del setting
    found = [(source.line(table.declaration), edit) for table, edit in _literal_tables(source)]
    if len(found) > 1:
        yield Rewrite(found[0][0], tuple(edit for _, edit in found), "all", 2.0)
    yield from (Rewrite(line, (edit,)) for line, edit in found)


def _literal_tables(source: SourceFile) -> Iterator[tuple[Variable, Edit]]:
    for table in variables(source):
        kind = resolved(source, table.type)
        literals = table.rest.lstrip("= ")
        if table.is_global or not table.alone or "static" in table.type or not _CONTAINER.match(kind):
            continue
        pattern = "regex" in kind
        rest = _LITERAL.sub("", _PATTERN.sub("", literals) if pattern else literals)
        if rest != "" or not literals.strip("{} \n") or not _called(source, table):
            continue
        # The compiler refuses whatever changes a constant pattern.
        if "const" not in table.type and not pattern and not only_read(source, table.name, table.scope, table.type):
            continue
        front = "static " if "const" in table.type else "static const "
        yield table, source.before(table.declaration, front)


def _called(source: SourceFile, variable: Variable) -> bool:
    """Whether a variable is of a function other than main, or of a loop."""
    function = enclosing(variable.declaration, "function_definition")
    loop = enclosing(variable.declaration, "for_statement", "while_statement", "do_statement", "for_range_loop")
    return function is not None and (loop is not None or function_name(source, function) != "main")


def _buffers(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """A local vector of numbers that keeps its memory from call to call, in a function that does not call itself."""
    del setting
    for buffer in variables(source):
        kind = arguments(resolved(source, buffer.type), "vector")
        given = re.fullmatch(r"\((.*)\)", buffer.rest, re.DOTALL)
        if kind is None or given is None or buffer.is_global or not buffer.alone or not _called(source, buffer):
            continue
        sizes = split(given[1])
        if not re.fullmatch(r"[a-z_0-9 ]+", kind[0]) or kind[0] == "bool" or len(sizes) not in (1, 2):
            continue
        function = enclosing(buffer.declaration, "function_definition")
        if function is None or _escapes(source, buffer) or not _is_count(source, buffer, sizes[0]):
            continue
        value = sizes[1] if len(sizes) == 2 else "0"
        text = f"static {buffer.type} {buffer.name};\n{source.indent(buffer.declaration)}"
        yield Rewrite(
            source.line(buffer.declaration),
            (source.replace(buffer.declaration, f"{text}{buffer.name}.assign({sizes[0]}, {value});"),),
        )


def _is_count(source: SourceFile, buffer: Variable, size: str) -> bool:
    """Whether the first argument of a vector is its size, and not another vector or an iterator."""
    kind = type_of(source, size, buffer.declaration) if re.fullmatch(r"[A-Za-z_]\w*", size) else "int"
    plain = re.search(r"\b(?:begin|end|iterator|data)\b", size) is None
    return plain and kind is not None and INTEGRAL.fullmatch(resolved(source, kind)) is not None


def _escapes(source: SourceFile, buffer: Variable) -> bool:
    """Whether a buffer is given away, or its function may be entered again before it ends."""
    around = enclosing(buffer.declaration, "function_definition")
    text = masked(source)[around.start_byte : around.end_byte] if around is not None else ""
    body = around.child_by_field_name("body") if around is not None else None
    again = body is None or body in entered(source, [body])
    given = re.search(
        rf"\breturn\s+{buffer.name}\s*;|\b(?:move|swap)\s*\([^;]*\b{buffer.name}\b|=\s*{buffer.name}\s*;", text
    )
    return again or given is not None or buffer.mentions is None or "operator()" in text or "[&" in text


_DAYS = """
#include <cstdio>
#include <vector>
int days_in(int month) {
    std::vector<int> days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1];
}
int main() {
    int total = 0;
    for (int i = 1; i <= 12; i++) total += days_in(i);
    printf("%d\\n", total);
}
"""
_ROWS = """
#include <cstdio>
#include <vector>
int ways(int n) {
    std::vector<int> row(n + 1, 1);
    for (int i = 1; i < n; i++) {
        for (int j = 1; j <= n; j++) row[j] += row[j - 1];
    }
    return row[n];
}
int main() {
    for (int i = 1; i <= 9; i++) printf("%d\\n", ways(i));
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="static-table",
        family="memory",
        summary="Makes a table of literals once, where a function made it for each call.",
        find=_tables,
        example=RewriteExample(
            before=_DAYS, after=_DAYS.replace("    std::vector<int> days", "    static const std::vector<int> days")
        ),
        languages=CPP,
        answers=("allocation",),
        prior=2.0,
        refusals=(
            "#include <vector>\nint f(int i) {\n    std::vector<int> v = {1, 2};\n    v[0] = i;\n    return v[1];\n}\n",
            "#include <vector>\nint f(int i) {\n    std::vector<int> v = {1, i};\n    return v[1];\n}\n",
        ),
    ),
    Transformation(
        name="static-buffer",
        family="memory",
        summary="Keeps the memory of a function's vector of numbers from call to call.",
        find=_buffers,
        example=RewriteExample(
            before=_ROWS,
            after=_ROWS.replace(
                "    std::vector<int> row(n + 1, 1);", "    static std::vector<int> row;\n    row.assign(n + 1, 1);"
            ),
        ),
        languages=CPP,
        answers=("allocation",),
        prior=1.0,
        refusals=(
            "#include <vector>\nstd::vector<int> f(int n) {\n    std::vector<int> v(n, 1);\n    return v;\n}\n",
            "#include <vector>\nint f(int n) {\n    std::vector<int> v(n, 1);\n    return n ? f(n - 1) : v[0];\n}\n",
            "#include <vector>\nint f(const std::vector<int> &w) {\n    std::vector<int> v(w);\n    return v[0];\n}\n",
        ),
    ),
)
