"""Python: loops over the numbers of a range, in a form that the interpreter runs faster."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.python.effects import dead_after
from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.program import tight
from maxcode.policy.rewrite.python.tree.shapes import is_number, same
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def _range(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`while i < n:` around a body that ends with `i += 1` and leaves i and n alone otherwise."""
    del setting
    code = code_of(source)
    for loop in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        if not isinstance(loop, ast.While) or loop.orelse or not code.program.alone(loop) or len(loop.body) < 2:
            continue
        found = _bounds(code, loop)
        step = loop.body[-1]
        if found is None or not code.program.alone(step) or _continues(loop):
            continue
        name, end = found
        node = source.root.named_descendant_for_byte_range(code.program.start(loop), code.program.end(loop))
        if node is None or not dead_after(source, name.id, node):
            continue
        header = Edit(
            code.program.start(loop), code.program.end(loop.test), f"for {name.id} in range({name.id}, {end})"
        )
        start = _start(code, loop, name)
        edits = [header, code.program.remove(step)]
        if start is not None:
            first = code.program.text(start.value)
            bounds = end if first == "0" else f"{first}, {end}"
            whole = f"for {name.id} in range({bounds})"
            edits = [Edit(header.start, header.end, whole), code.program.remove(step), code.program.remove(start)]
        yield Rewrite(loop.lineno, tuple(edits), weight=1.5)


def _bounds(code: Code, loop: ast.While) -> tuple[ast.Name, str] | None:
    """The counter, and the end of its range."""
    test, step, program = loop.test, loop.body[-1], code.program
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.left, ast.Name):
        return None
    name, end = test.left, test.comparators[0]
    counts = (
        isinstance(step, ast.AugAssign)
        and isinstance(step.op, ast.Add)
        and same(step.target, name)
        and is_number(step.value, 1)
    )
    if not counts and ast.unparse(step) not in (f"{name.id} = {name.id} + 1", f"{name.id} = 1 + {name.id}"):
        return None
    variable = program.variable[name]
    stores = [
        each for each in program.stores(variable) if program.inside(each, loop) and not program.inside(each, step)
    ]
    if stores or not code.kinds.only(name, "int") or not code.kinds.only(end, "int"):
        return None
    if variable[0] is not program.function(loop) or not code.steady(end, *loop.body[:-1]):
        return None
    if code.program.variable.get(end) == variable or variable in code.effects(end).reads:
        return None
    if isinstance(test.ops[0], ast.Lt):
        return name, program.text(end)
    return (name, f"{tight(program, end)} + 1") if isinstance(test.ops[0], ast.LtE) else None


def _continues(loop: ast.While) -> bool:
    """Whether a turn of this loop may be cut short, so that the counter is not increased."""
    waiting: list[ast.AST] = list(loop.body)
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Continue):
            return True
        if not isinstance(each, (ast.For, ast.While, ast.FunctionDef)):
            waiting += ast.iter_child_nodes(each)
        elif not isinstance(each, ast.FunctionDef):
            waiting += each.orelse
    return False


def _start(code: Code, loop: ast.While, name: ast.Name) -> ast.Assign | None:
    """The statement before the loop that gives the counter its first value, if nobody reads it in between."""
    variable = code.program.variable[name]
    for each in code.program.previous(loop):
        simple = isinstance(each, ast.Assign) and len(each.targets) == 1 and same(each.targets[0], name)
        if simple and isinstance(each, ast.Assign) and code.program.alone(each) and is_number(each.value):
            return each
        if code.program.names(variable, each) or isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            return None
    return None


TRANSFORMATIONS = (
    Transformation(
        name="range-for-while",
        family="python",
        summary="Counts with range() where a while loop counts by hand.",
        find=_range,
        example=RewriteExample(
            before="""
n = 5
i = 0
total = 0
while i < n:
    total += i * i
    i += 1
print(total)
""",
            after="""
n = 5
total = 0
for i in range(n):
    total += i * i
print(total)
""",
        ),
        languages=PYTHON,
        answers=("while-counting",),
        prior=1.2,
        refusals=(
            "i = 0\nwhile i < 5:\n    print(i)\n    i += 1\nprint(i)\n",
            "i = 0\nwhile i < 5:\n    if i == 2:\n        i += 1\n        continue\n    print(i)\n    i += 1\n",
            "i, n = 0, 5\nwhile i < n:\n    n -= 1\n    print(n)\n    i += 1\n",
            "i, n = 0, 2.5\nwhile i < n:\n    print(n)\n    i += 1\n",
        ),
    ),
)
