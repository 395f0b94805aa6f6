"""Python: functions that make code faster by being there, or by being gone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import (
    BUILT_IN,
    LOOPS,
    mentions,
    statements,
)
from maxcode.policy.rewrite.python.effects import bound
from maxcode.policy.rewrite.python.tree.program import Program, program
from maxcode.policy.rewrite.source import Edit, SourceFile, field, inside
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

REFLECTION = {"eval", "exec", "globals", "locals", "vars", "numba", "multiprocessing", "pickle", "__main__"}


DEFINITIONS = ("function_definition", "class_definition", "decorated_definition")


def _main(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Moves the code behind definitions into a function, where variables are found by number instead of by name."""
    del setting
    if source.broken or REFLECTION & source.names or "main" in source.names:
        return
    moved = _behind_imports(source)
    loops = [each for node in moved if node.type in LOOPS for each in (node, *source.find(*LOOPS, within=node))]
    unmovable = any("import" in each.type and "*" in source.text(each) for each in moved)
    headed = {name for each in statements(source.root) if each not in moved for name in _given(source, each)}
    if headed & {name for each in moved for name in bound(source, each)}:
        return  # a name of the heading would become a variable of the function
    if not loops or unmovable or not _movable_names(source, moved):
        return
    start = source.data.rfind(b"\n", 0, moved[0].start_byte) + 1
    if source.data[start : moved[0].start_byte].strip():
        return
    edits = [Edit(start, start, _gap(source, start) + "def main():\n"), *_indented(source, start)]
    edits += [source.replace(each.children[0], "nonlocal") for each in source.find("global_statement")]
    end = len(source.data)
    newline = "" if source.code.endswith("\n") else "\n"
    edits.append(Edit(end, end, f"{newline}\n\nmain()\n"))
    yield Rewrite(source.line(moved[0]), tuple(edits), weight=1.0 + 0.2 * len(loops))


def _gap(source: SourceFile, at: int) -> str:
    """The line breaks that are missing for two blank lines, or none at the top of the file."""
    above = source.data[:at]
    there = len(above) - len(above.rstrip()) - 1
    return "\n" * max(0, 2 - there) if above.strip() else ""


def _behind_imports(source: SourceFile) -> list[Node]:
    """The statements behind the imports, and behind definitions that name no variable of these statements."""
    top, known = statements(source.root), program(source)
    first = next((i for i, node in enumerate(top) if not _is_heading(node)), len(top))
    work = (i for i, node in enumerate(top) if not _is_heading(node) and node.type not in DEFINITIONS)
    start = next(work, len(top)) if known is not None else first
    while known is not None and start > first:
        later = {name for node in top[start:] for name in bound(source, node)}
        asking = [i for i in range(first, start) if later & _of_module(known, top[i])]
        if not asking:
            break
        start = asking[0]
    return top[start:]


def _of_module(known: Program, node: Node) -> set[str]:
    """The variables of the module that a definition names."""
    end = node.end_point[0] + 1
    parts = (each for found in known.tree.body if found.end_lineno == end for each in ast.walk(found))
    variables = (known.variable[each] for each in parts if each in known.variable)
    return {name for scope, name in variables if isinstance(scope, ast.Module)}


def _given(source: SourceFile, node: Node) -> set[str]:
    """The names that a statement at the top gives a value to."""
    if node.type not in DEFINITIONS:
        return bound(source, node)
    return {source.text(field(node.child_by_field_name("definition") or node, "name"))}


def _is_heading(node: Node) -> bool:
    is_docstring = node.type == "expression_statement" and node.named_children[0].type == "string"
    return is_docstring or "import" in node.type


def _movable_names(source: SourceFile, moved: list[Node]) -> bool:
    """Whether no built-in name is read before it is set anew, and no function makes a global of its own."""
    names = {name for node in moved for name in bound(source, node)}
    for name in names & BUILT_IN:
        first = mentions(source, name, source.root)[0]
        statement = next((node for node in moved if inside(first, node)), None)
        right = first.parent.child_by_field_name("right") if first.parent is not None else None
        if statement is None or right is None or inside(first, right) or mentions(source, name, right):
            return False
    inner = {name for node in moved if node.type not in DEFINITIONS for name in bound(source, node)}
    return all(source.text(e) in inner for each in source.find("global_statement") for e in each.named_children)


def _indented(source: SourceFile, start: int) -> list[Edit]:
    """Edits that indent each line that is not inside a string, by four spaces or a tab."""
    unit = "\t" if re.search(rb"^\t", source.data, re.MULTILINE) else "    "
    strings = [(each.start_byte, each.end_byte) for each in source.find("string")]
    edits, at = [], start
    while at < len(source.data):
        end = source.data.find(b"\n", at) + 1 or len(source.data)
        if source.data[at:end].strip() and not any(a < at < b for a, b in strings):
            edits.append(Edit(at, at, unit))
        at = end
    return edits


TRANSFORMATIONS = (
    Transformation(
        name="main-function",
        family="python",
        summary="Moves the program into a function, whose variables are found by number instead of by name.",
        find=_main,
        example=RewriteExample(
            before="""import sys
n = 10
total = 0
for i in range(n):
    total += i * i % 7
sys.stdout.write(f"{total}\\n")
""",
            after="""import sys


def main():
    n = 10
    total = 0
    for i in range(n):
        total += i * i % 7
    sys.stdout.write(f"{total}\\n")


main()
""",
        ),
        languages=PYTHON,
        answers=("global-loop",),
        prior=3.0,
        refusals=(
            "print(sum(range(10)))\n",
            "for i in range(3):\n    max = max(i, 2)\n",
            "def main():\n    for i in range(3):\n        print(i)\n\n\nmain()\n",
            "import sys\n\nfor i in range(3):\n    print(i)\nimport sys\n",
        ),
    ),
)
