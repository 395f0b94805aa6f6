"""Python: loops over the numbers of a range, in a form that the interpreter runs faster."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.python.effects import dead_after
from maxcode.policy.rewrite.python.imports import with_imports
from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.program import tight
from maxcode.policy.rewrite.python.tree.shapes import called, is_number, same
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


def _product(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`for k in range(n): total += row[k] * column[k]` over whole numbers; a column is made once for all rows."""
    code = code_of(source)
    for loop in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        if not isinstance(loop, ast.For) or loop.orelse or len(loop.body) != 1 or not isinstance(loop.target, ast.Name):
            continue
        step, bounds = loop.body[0], called(loop.iter, "range")
        if not isinstance(step, ast.AugAssign) or not isinstance(step.op, ast.Add) or not bounds or len(bounds) != 1:
            continue
        factors = step.value
        if not isinstance(factors, ast.BinOp) or not isinstance(factors.op, ast.Mult) or not code.program.alone(loop):
            continue
        exact = setting.relaxed_floats or code.kinds.only(factors, "int")
        node = source.root.named_descendant_for_byte_range(code.program.start(loop), code.program.end(loop))
        if not exact or node is None or not dead_after(source, loop.target.id, node):
            continue
        parts = [_walked(code, each, loop, bounds[0]) for each in (factors.left, factors.right)]
        if not _size(code, bounds[0], loop) or None in parts or not isinstance(step.target, (ast.Name, ast.Subscript)):
            continue
        if code.effects(step.target).looks & code.effects(factors).looks or not code.kinds.only(
            step.target, "int", "float"
        ):
            continue
        line = f"{code.program.text(step.target)} += sum(map(mul, {parts[0]}, {parts[1]}))"
        edits = with_imports(source, (code.program.put(loop, line),), "from operator import mul")
        if edits is not None and not isinstance(step.target, ast.Subscript):
            yield Rewrite(loop.lineno, edits, weight=2.0)


def _size(code: Code, node: ast.expr, loop: ast.For) -> bool:
    """Whether a number is surely not negative: a length, or what a range around the loop ends with."""
    values = code.program.values(node) if isinstance(node, ast.Name) else [node]
    if values and all(
        called(each, "len") is not None or (is_number(each) and ast.unparse(each)[0] != "-") for each in values
    ):
        return True
    around = [called(each.iter, "range") for each in code.program.loops_around(loop) if isinstance(each, ast.For)]
    return any(bounds and len(bounds) == 1 and same(bounds[0], node) for bounds in around)


def _walked(code: Code, node: ast.expr, loop: ast.For, end: ast.expr) -> str | None:
    """What gives the elements that `node` stands for in the turns of a loop."""
    if not isinstance(node, ast.Subscript) or not isinstance(loop.target, ast.Name):
        return None
    size, text = code.program.text(end), code.program.text
    index = loop.target.id
    owner = node.value
    if (
        isinstance(node.slice, ast.Name)
        and node.slice.id == index
        and index not in {e.id for e in ast.walk(owner) if isinstance(e, ast.Name)}
    ):
        is_list = code.kinds.only(owner, "list") and code.steady(owner, *loop.body)
        return f"{text(owner)}[:{size}]" if is_list else None
    if isinstance(owner, ast.Subscript) and isinstance(owner.slice, ast.Name) and owner.slice.id == index:
        names = {e.id for part in (owner.value, node.slice) for e in ast.walk(part) if isinstance(e, ast.Name)}
        is_table = code.kinds.only(owner.value, "list") and code.kinds.only(owner, "list")
        if is_table and index not in names and code.pure(node.slice) and not isinstance(node.slice, ast.Slice):
            row = code.program.source.fresh("row")
            return f"[{row}[{text(node.slice)}] for {row} in {text(owner.value)}[:{size}]]"
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
    Transformation(
        name="product-for-loop",
        family="python",
        summary="Multiplies two rows, or a row and a column, with map() and sum().",
        find=_product,
        example=RewriteExample(
            before="""
def product(a, b):
    n = len(a)
    total = 0
    for k in range(n):
        total += a[k] * b[k]
    return total


print(product([1, 2, 3], [4, 5, 6]))
""",
            after="""
from operator import mul


def product(a, b):
    n = len(a)
    total = 0
    total += sum(map(mul, a[:n], b[:n]))
    return total


print(product([1, 2, 3], [4, 5, 6]))
""",
        ),
        languages=PYTHON,
        answers=("accumulation",),
        prior=2.5,
        refusals=(
            """
def f(a, n):
    total = 0
    for k in range(n):
        total += a[k] * a[k]
    return total


print(f([1, 2], -1))
""",
            "a = [0.1, 0.2]\ntotal = 0.0\nfor k in range(len(a)):\n    total += a[k] * a[k]\nprint(total)\n",
            "a = {0: 1}\ntotal = 0\nfor k in range(len(a)):\n    total += a[k] * a[k]\nprint(total)\n",
        ),
    ),
)
