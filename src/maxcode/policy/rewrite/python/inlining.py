"""Python: small functions and methods put in the place of their calls."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.program import COMPREHENSIONS, atomic, filled, tight
from maxcode.policy.rewrite.python.tree.shapes import cheap, repeats
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

LONGEST = 400
"""Characters of a body that is still put in the place of a call."""
LARGEST_GUARD = 16
"""Names in a test that is still made at a call."""


def _inline(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """One rewrite for each function: all its calls that run repeatedly."""
    del setting
    code = code_of(source)
    for function in code.program.functions() if code is not None else ():
        assert code is not None
        if not _inlinable(code, function):
            continue
        edits = []
        for call in ast.walk(code.program.tree):
            if isinstance(call, ast.Call) and code.kinds.callee(call) == [function] and repeats(code, call):
                edit = _in_place(code, function, call)
                if edit is not None:
                    edits.append(edit)
        if edits and not _overlap(edits):
            first = min(edit.start for edit in edits)
            line = source.data.count(b"\n", 0, first) + 1
            yield Rewrite(line, tuple(edits), function.name)


def _overlap(edits: list[Edit]) -> bool:
    spans = sorted((each.start, each.end) for each in edits)
    return any(a[1] > b[0] for a, b in pairwise(spans))


def _inlinable(code: Code, function: ast.FunctionDef) -> bool:
    arguments, program = function.args, code.program
    plain = not (
        arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs or arguments.defaults
    )
    decorators = [ast.unparse(each) for each in function.decorator_list]
    named = [each for each in program.functions() if each.name == function.name]
    recursive = any(
        isinstance(each, ast.Call) and function in (code.kinds.callee(each) or []) for each in ast.walk(function)
    )
    return plain and decorators in ([], ["staticmethod"]) and len(named) == 1 and not recursive


def body_of(function: ast.FunctionDef) -> list[ast.stmt]:
    """Statements of a function without its docstring."""
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return function.body[1:] if documented else function.body


def _in_place(code: Code, function: ast.FunctionDef, call: ast.Call) -> Edit | None:
    """The edit of one call."""
    program = code.program
    given = _given(code, function, call)
    if given is None or any(program.inside(call, each) for each in [function]):
        return None
    statement, body = program.above[call], body_of(function)
    value = _as_expression(code, body, given, call)
    if value is not None and not _parses(value):
        return None
    if value is not None:
        return program.replace(call, value if _closed(code, call, value) else f"({value})")
    if not isinstance(statement, ast.Expr) or not program.alone(statement) or len(body) > 3:
        return None
    lines = [_as_statement(code, each, given, call, body) for each in body]
    if any(line is None for line in lines):
        return None
    return program.replace(statement, program.indented("\n".join(map(str, lines)), statement))


def _parses(value: str) -> bool:
    """False where quotes meet inside an f-string, which Python before 3.12 does not read."""
    try:
        ast.parse(value, mode="eval")
    except SyntaxError:
        return False
    return True


def _closed(code: Code, call: ast.Call, value: str) -> bool:
    """Whether a value needs no parentheses in the place of a call."""
    data, start, end = code.program.source.data, code.program.start(call), code.program.end(call)
    apart = not (data[max(start - 1, 0) : start].isalnum() or data[end : end + 1].isalnum())
    return apart and atomic(ast.parse(value, mode="eval").body)


def _given(code: Code, function: ast.FunctionDef, call: ast.Call) -> dict[str, ast.expr] | None:
    """Arguments by the names of parameters."""
    names = [each.arg for each in function.args.args]
    values = list(call.args)
    static = any(ast.unparse(each) == "staticmethod" for each in function.decorator_list)
    if isinstance(code.program.above[function], ast.ClassDef) and not static:
        if not isinstance(call.func, ast.Attribute) or "class" in code.kinds.of(call.func.value).kinds:
            return None
        values = [call.func.value, *values]
    if call.keywords or len(values) != len(names) or any(isinstance(each, ast.Starred) for each in values):
        return None
    return dict(zip(names, values, strict=True))


def _as_expression(code: Code, body: list[ast.stmt], given: dict[str, ast.expr], call: ast.Call) -> str | None:
    """Guards with a value and a last value, as one expression."""
    parts: list[tuple[ast.expr, ast.expr]] = []
    for each in body[:-1]:
        if not isinstance(each, ast.If) or each.orelse or len(each.body) != 1:
            return None
        inner = each.body[0]
        if not isinstance(inner, ast.Return) or inner.value is None:
            return None
        parts.append((each.test, inner.value))
    last = body[-1]
    if not isinstance(last, ast.Return) or last.value is None:
        return None
    nodes = [*(node for pair in parts for node in pair), last.value]
    texts = _substituted(code, nodes, given, call)
    if texts is None:
        return None
    found = texts[-1]
    for test, value in zip(texts[-3::-2], texts[-2::-2], strict=True):
        found = f"{value} if {test} else {found}"
    return found


def _as_statement(
    code: Code, node: ast.stmt, given: dict[str, ast.expr], call: ast.Call, body: list[ast.stmt]
) -> str | None:
    """A statement of the body with the arguments in it; None for those that need a function around them."""
    if any(
        isinstance(each, (ast.Return, ast.Yield, ast.Global, ast.Nonlocal, ast.FunctionDef)) for each in ast.walk(node)
    ):
        return None
    if not isinstance(node, (ast.Expr, ast.Assign, ast.AugAssign)):
        return None
    if code.effects(*body).binds or not all(_fixed(code, each, body) for each in given.values()):
        return None
    texts = _substituted(code, [node], given, call)
    return texts[0] if texts is not None else None


def _fixed(code: Code, node: ast.expr, body: list[ast.stmt]) -> bool:
    return isinstance(node, (ast.Name, ast.Constant)) or code.steady(node, *body)


def _substituted(
    code: Code, nodes: Sequence[ast.expr | ast.stmt], given: dict[str, ast.expr], call: ast.Call
) -> list[str] | None:
    """Texts with arguments in the place of parameters; None if that changes what is computed, or how often."""
    program = code.program
    names = [each for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name)]
    scope = program.function(nodes[0])
    ours = [each for each in names if program.variable[each] == (scope, each.id) and each.id in given]
    others = [each for each in names if each not in ours]
    if any(isinstance(each, (ast.Lambda, *COMPREHENSIONS, ast.NamedExpr)) for node in nodes for each in ast.walk(node)):
        bound = {each.id for each in names if not isinstance(each.ctx, ast.Load)}
        if bound & {each.id for value in given.values() for each in ast.walk(value) if isinstance(each, ast.Name)}:
            return None
        others = [each for each in others if each.id not in bound]
        if any(isinstance(each, (ast.Lambda, ast.NamedExpr)) for node in nodes for each in ast.walk(node)):
            return None
    if any(not isinstance(each.ctx, ast.Load) for each in ours) or not _seen_alike(code, others, call):
        return None
    for name, value in given.items():
        count = sum(each.id == name for each in ours)
        simple = isinstance(value, (ast.Name, ast.Constant)) or (isinstance(value, ast.Attribute) and count < 4)
        if not (simple or (code.pure(value) and count <= 1)):
            return None
    if sum(len(program.text(each)) for each in nodes) > LONGEST:
        return None
    inserted: dict[ast.expr, str] = {each: tight(program, given[each.id]) for each in ours}
    texts = [filled(program, node, _private(code, node, inserted) | inserted) for node in nodes]
    return None if any("#" in text or '"""' in text for text in texts) else [re.sub(r"\s*\n\s*", " ", e) for e in texts]


def _private(code: Code, node: ast.AST, inserted: dict[ast.expr, str]) -> dict[ast.expr, str]:
    """Private attributes under the names that they have outside of their class."""
    return {
        each: f"{filled(code.program, each.value, inserted)}.{each.attr}"
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute) and not code.program.text(each).endswith(each.attr)
    }


def _seen_alike(code: Code, names: list[ast.Name], call: ast.Call) -> bool:
    """Whether names of the module or of Python mean the same at the place of a call."""
    program = code.program
    for each in names:
        if not isinstance(program.variable[each][0], ast.Module):
            return False
        scopes = [call, *program.around(call)]
        if any((scope, each.id) in program.mentions for scope in scopes if not isinstance(scope, ast.Module)):
            return False
    return True


def _guard(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """The test that a function begins with, made at its calls, so that many of them are saved."""
    del setting
    code = code_of(source)
    for function in code.program.functions() if code is not None else ():
        assert code is not None
        found = _early_answer(code, function)
        if found is None or not _plain(function):
            continue
        edits = []
        for call in ast.walk(code.program.tree):
            if isinstance(call, ast.Call) and code.kinds.callee(call) == [function] and repeats(code, call):
                edit = _guarded(code, function, call, *found)
                if edit is not None:
                    edits.append(edit)
        if edits and not _overlap(edits):
            yield Rewrite(
                source.data.count(b"\n", 0, min(each.start for each in edits)) + 1, tuple(edits), function.name
            )


def _plain(function: ast.FunctionDef) -> bool:
    arguments = function.args
    given = arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs or arguments.defaults
    return not given and not function.decorator_list


def _early_answer(code: Code, function: ast.FunctionDef) -> tuple[ast.expr, ast.expr, dict[str, ast.expr], bool] | None:
    """A test, the answer if it holds (or fails, as told last), and the constants that variables have by then."""
    body = body_of(function)
    if not body:
        return None
    first, known = body[0], dict[str, ast.expr]()
    if isinstance(first, ast.If) and not first.orelse and len(first.body) == 1 and len(body) > 1:
        answer = first.body[0]
        if isinstance(answer, ast.Return) and answer.value is not None and code.pure(first.test, answer.value):
            return first.test, answer.value, known, True
    while isinstance(first, ast.Assign) and isinstance(first.value, ast.Constant) and len(first.targets) == 1:
        if not isinstance(first.targets[0], ast.Name) or len(body) == 1:
            return None
        known[first.targets[0].id] = first.value
        body = body[1:]
        first = body[0]
    last = body[-1]
    if not isinstance(first, ast.While) or first.orelse or len(body) != 2 or not code.pure(first.test):
        return None
    return (first.test, last.value, known, False) if isinstance(last, ast.Return) and last.value is not None else None


def _guarded(
    code: Code, function: ast.FunctionDef, call: ast.Call, test: ast.expr, answer: ast.expr,
    known: dict[str, ast.expr], holds: bool,
) -> Edit | None:  # fmt: skip
    given = _given(code, function, call)
    above = code.program.above[call]
    if given is None or (isinstance(above, ast.IfExp) and call in (above.body, above.orelse)):
        return None
    if not all(cheap(each, 2) for each in given.values()) or any(name in known for name in given):
        return None
    values = {**given, **known}
    names = [each for node in (test, answer) for each in ast.walk(node) if isinstance(each, ast.Name)]
    ours = [each for each in names if each.id in values and code.program.variable[each][0] is function]
    if len(names) > LARGEST_GUARD or not _seen_alike(code, [each for each in names if each not in ours], call):
        return None
    if any(isinstance(each, (ast.Lambda, *COMPREHENSIONS, ast.NamedExpr)) for each in ast.walk(test)) or not cheap(
        answer, 2
    ):
        return None
    texts = [
        filled(code.program, node, {e: tight(code.program, values[e.id]) for e in ours}) for node in (test, answer)
    ]
    whole = code.program.text(call)
    texts = [re.sub(r"\s*\n\s*", " ", each) for each in texts]
    if "#" in "".join(texts) or "\n" in whole:
        return None
    early = texts[1] if isinstance(answer, (ast.Name, ast.Constant)) else f"({texts[1]})"
    new = f"({early} if {texts[0]} else {whole})" if holds else f"({whole} if {texts[0]} else {early})"
    return code.program.replace(call, new)


TRANSFORMATIONS = (
    Transformation(
        name="inline-function",
        family="python",
        summary="Puts a small function or method in the place of calls that run again and again.",
        find=_inline,
        example=RewriteExample(
            before="""
class Span:
    def __init__(self, first, last):
        self.first = first
        self.last = last

    def meets(self, other):
        return self.first < other.last and other.first < self.last


spans = [Span(1, 4), Span(3, 6), Span(5, 9)]
print(sum(1 for a in spans for b in spans if a.meets(b)))
""",
            after="""
class Span:
    def __init__(self, first, last):
        self.first = first
        self.last = last

    def meets(self, other):
        return self.first < other.last and other.first < self.last


spans = [Span(1, 4), Span(3, 6), Span(5, 9)]
print(sum(1 for a in spans for b in spans if (a.first < b.last and b.first < a.last)))
""",
        ),
        languages=PYTHON,
        answers=("call-in-loop",),
        prior=1.5,
        refusals=(
            "def f(x):\n    return x * x\n\n\nprint(f(2))\n",
            "def f(x):\n    return x * x\n\n\nfor i in range(3):\n    print(f(i + 1))\n",
            "def f(x):\n    return f(x - 1) if x else 0\n\n\nfor i in range(3):\n    print(f(i))\n",
            """
k = 2


def f(x):
    return x * k


def g(n):
    k = n
    return [f(i) for i in range(k)]


print(g(3))
""",
            """
class A:
    def f(self):
        return 1


class B(A):
    def f(self):
        return 2


print([a.f() for a in (A(), B())])
""",
        ),
    ),
    Transformation(
        name="guard-at-call",
        family="python",
        summary="Makes the test that a function begins with at its calls, which it saves where the test decides.",
        find=_guard,
        example=RewriteExample(
            before="""
def depth(n):
    if n < 2:
        return 0
    return depth(n // 2) + 1


print(sum(depth(i) for i in range(9)))
""",
            after="""
def depth(n):
    if n < 2:
        return 0
    return (0 if (n // 2) < 2 else depth(n // 2)) + 1


print(sum((0 if i < 2 else depth(i)) for i in range(9)))
""",
        ),
        languages=PYTHON,
        answers=("call-in-loop", "recursion"),
        prior=1.2,
        refusals=(
            "def f(n):\n    if print(n):\n        return 0\n    return n\n\n\nprint([f(i) for i in range(3)])\n",
            "def f(n, m=1):\n    if n < m:\n        return 0\n    return n\n\n\nprint([f(i) for i in range(3)])\n",
            "def f(n):\n    if n < 2:\n        return 0\n    return n\n\n\nprint([f(int(c)) for c in '123'])\n",
        ),
    ),
)
