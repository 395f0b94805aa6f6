"""Python: comparisons in the place of calls of min() and max() with a few values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.program import COMPREHENSIONS, tight
from maxcode.policy.rewrite.python.tree.shapes import called, cheap, same
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def _compare(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """All calls of min() and max() in loops and functions at once."""
    del setting
    code = code_of(source)
    if code is None:
        return
    edits: list[Edit] = []
    count = 0
    for statement in ast.walk(code.program.tree):
        if isinstance(statement, ast.Assign) and code.program.alone(statement) and _hot(code, statement):
            found = _statement(code, statement, count)
            if found is not None:
                count += 1
                edits.append(found)
    taken = [(each.start, each.end) for each in edits]
    for call in ast.walk(code.program.tree):
        if isinstance(call, ast.Call) and _hot(code, call) and code.pure(call):
            at = code.program.start(call)
            text = _expression(code, call)
            if text is not None and not any(start <= at < end for start, end in taken):
                taken.append((at, code.program.end(call)))
                edits.append(code.program.replace(call, text))
    if edits:
        line = source.data.count(b"\n", 0, min(each.start for each in edits)) + 1
        yield Rewrite(line, tuple(edits))


def _hot(code: Code, node: ast.AST) -> bool:
    around = list(code.program.around(node))
    return any(isinstance(each, (ast.For, ast.While, ast.FunctionDef, *COMPREHENSIONS)) for each in around)


def _choice(code: Code, call: ast.AST) -> tuple[str, list[ast.expr]] | None:
    """The sign that tells which value is kept, and the two or three values."""
    for name, sign in (("min", "<"), ("max", ">")):
        values = called(call, name)
        if (
            isinstance(call, ast.Call)
            and values
            and 2 <= len(values) <= 3
            and code.kinds.of(call.func).kinds == {f"type {name}"}
        ):
            return sign, values
    return None


def _statement(code: Code, node: ast.Assign, count: int) -> Edit | None:
    """`x = max(x, value)` as a branch that is rarely taken."""
    found, target = _choice(code, node.value), node.targets[0]
    if found is None or len(node.targets) != 1 or len(found[1]) != 2:
        return None
    (sign, (first, second)), swapped = found, False
    simple = isinstance(target, ast.Name) or (isinstance(target, ast.Subscript) and cheap(target, 4))
    if not same(target, first) and same(target, second):
        first, second, swapped = second, first, True  # of equal values the first stays, which is now the new one
    if not simple or not same(target, first) or not code.pure(second):
        return None
    text, value = code.program.text, code.program.text(second)
    if "\n" in value or "\n" in text(target):
        return None

    def line(new: str) -> str:
        test = f"not {text(target)} {sign} {new}" if swapped else f"{new} {sign} {text(target)}"
        return f"if {test}:\n    {text(target)} = {new}"

    if cheap(second, 3):
        return code.program.put(node, line(value))
    name = code.program.source.fresh("value" if count == 0 else f"value_{count + 1}")
    return code.program.put(node, f"{name} = {value}\n{line(name)}")


def _expression(code: Code, call: ast.Call) -> str | None:
    found = _choice(code, call)
    if found is None or len(found[1]) != 2 or not all(cheap(each, 5) for each in found[1]):
        return None
    sign, (first, second) = found
    a, b = tight(code.program, first), tight(code.program, second)
    return None if "\n" in a + b else f"({b} if {b} {sign} {a} else {a})"


TRANSFORMATIONS = (
    Transformation(
        name="comparison-for-min",
        family="python",
        summary="Compares two values in place instead of calling min() or max().",
        find=_compare,
        example=RewriteExample(
            before="""
values = [3, 1, 4, 1, 5]
best = 0
steps = [0] * 5
for i in range(1, 5):
    best = max(best, values[i] - values[i - 1])
    steps[i] = min(steps[i - 1], values[i])
print(best, steps)
""",
            after="""
values = [3, 1, 4, 1, 5]
best = 0
steps = [0] * 5
for i in range(1, 5):
    value = values[i] - values[i - 1]
    if value > best:
        best = value
    steps[i] = (values[i] if values[i] < steps[i - 1] else steps[i - 1])
print(best, steps)
""",
        ),
        languages=PYTHON,
        answers=("call-in-loop", "accumulation"),
        prior=1.5,
        refusals=(
            "print(max(1, 2))\n",
            "for i in range(3):\n    print(max([i, 2]))\n",
            "def largest(a, b):\n    return max(a.pop(), b.pop())\n\n\nprint(largest([1], [2]))\n",
            "def min(a, b):\n    return a\n\n\nfor i in range(3):\n    print(min(i, 1))\n",
        ),
    ),
)
