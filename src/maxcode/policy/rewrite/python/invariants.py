"""Python: values computed once in front of the loop or comprehension that computes them again and again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.kinds import SCALARS
from maxcode.policy.rewrite.python.tree.program import COMPREHENSIONS, tight
from maxcode.policy.rewrite.python.tree.shapes import leaves, same
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

Repeating = ast.For | ast.While | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_WALKS = frozenset("sum max min sorted any all set list tuple dict count index".split())
"""Functions and methods that walk through what they are given."""
_SAFE = frozenset("len sum sorted abs str".split())
"""Functions that do not fail on what they are given here and would not be given elsewhere."""


def _hoist(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Calls without effects whose value no turn changes."""
    del setting
    code = code_of(source)
    seen: list[tuple[str, ast.stmt]] = []
    for call in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        if not isinstance(call, ast.Call) or not code.pure(call) or not _is_value(code, call):
            continue
        around = _steady_around(code, call)
        place = code.program.statement(around[-1]) if around else None
        text = ast.unparse(call)
        if place is None or not _begins(code, place) or (text, place) in seen or "\n" in code.program.text(call):
            continue
        seen.append((text, place))
        home = code.program.function(call)
        places = [
            each for each in ast.walk(around[-1])
            if isinstance(each, ast.Call) and same(each, call) and code.program.function(each) is home
            and _repeats(code, around[-1], each)
        ]  # fmt: skip
        name = source.fresh(_name(call))
        runs = [] if _cannot_fail(call) else [_runs(code, each) for each in around]
        if None in runs:
            continue
        guards = "".join(f" if {each} else None" for each in runs if each)
        line = code.program.ahead(place, f"{name} = {code.program.text(call)}{guards}")
        weight = 3.0 if _works(code, call) else 0.5
        yield Rewrite(call.lineno, (line, *(code.program.replace(each, name) for each in places)), weight=weight)


def _is_value(code: Code, call: ast.Call) -> bool:
    """Whether one result may serve all turns: nobody can change it, or nobody keeps it."""
    if code.kinds.plain(call) or code.kinds.only(call, *SCALARS, "float"):
        named = any(isinstance(each, (ast.Name, ast.Attribute)) for given in call.args for each in ast.walk(given))
        return named or isinstance(call.func, ast.Attribute)
    above = code.program.above[call]
    consumed = isinstance(above, ast.BinOp) and not isinstance(above.op, ast.Mult | ast.Add)
    compared = isinstance(above, ast.Compare) and not any(isinstance(each, (ast.Is, ast.IsNot)) for each in above.ops)
    return (consumed or compared) and code.kinds.of(call).kinds != {"iter"}


def _steady_around(code: Code, call: ast.Call) -> list[Repeating]:
    """The loops and comprehensions that compute a call again and again to the same value, innermost first."""
    found: list[Repeating] = []
    inner: ast.AST = call
    for each in code.program.around(call):
        if isinstance(each, (ast.FunctionDef, ast.Lambda, ast.ClassDef)) or _conditional(inner, each):
            break
        if isinstance(each, (ast.For, ast.While, *COMPREHENSIONS)) and _repeats(code, each, call):
            if not code.steady(call, each) or (found and not _cannot_fail(call)):
                break
            found.append(each)
        inner = each
    return found


def _repeats(code: Code, loop: ast.AST, node: ast.AST) -> bool:
    """Whether a loop or comprehension computes a node in each turn; not what it walks over, which is made once."""
    if isinstance(loop, COMPREHENSIONS):
        return not code.program.inside(node, loop.generators[0].iter)
    if isinstance(loop, ast.For):
        return not code.program.inside(node, loop.iter) and not any(code.program.inside(node, e) for e in loop.orelse)
    return isinstance(loop, ast.While) and not any(code.program.inside(node, each) for each in loop.orelse)


def _conditional(inner: ast.AST, outer: ast.AST) -> bool:
    """Whether a node may run without the part of it that is named first."""
    match outer:
        case ast.If() | ast.IfExp():
            return inner is not outer.test
        case ast.BoolOp():
            return inner is not outer.values[0]
        case ast.Compare():
            return inner not in (outer.left, outer.comparators[0])
        case ast.For() | ast.While():
            return inner in outer.body and leaves(outer.body[: outer.body.index(inner)])
        case ast.Try() | ast.With():
            return True
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            clauses = outer.generators
            return len(clauses) > 1 or (inner is not clauses[0] and bool(clauses[0].ifs))
        case ast.comprehension():
            return inner in outer.ifs[1:]
    return False


def _cannot_fail(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in _SAFE and not call.keywords


def _runs(code: Code, loop: Repeating) -> str | None:
    """A condition under which a loop has a first turn; None where that is not to be known ahead."""
    first = loop.test if isinstance(loop, ast.While) else None
    if first is None:
        over = loop.generators[0].iter if isinstance(loop, COMPREHENSIONS) else loop.iter  # type: ignore[union-attr]
        sized = code.kinds.only(over, "list", "tuple", "str", "set", "dict", "range", "deque")
        known = sized or code.kinds.of(over).kinds == {"?"}
        first = over if known and isinstance(over, (ast.Name, ast.Attribute)) else None
        if isinstance(over, ast.Call) and ast.unparse(over.func) == "range" and code.pure(over):
            first = over
    if first is None or not code.pure(first) or "\n" in code.program.text(first):
        return None
    return tight(code.program, first)


def _begins(code: Code, place: ast.stmt) -> bool:
    """Whether a line may be put in front of a statement."""
    return code.program.alone(place) and not code.program.text(place).startswith("elif")


def _works(code: Code, call: ast.Call) -> bool:
    """Whether a call takes many steps."""
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    given = any(isinstance(each, (ast.Name, ast.Attribute, *COMPREHENSIONS)) for each in call.args)
    return (name in _WALKS and (given or isinstance(call.func, ast.Attribute))) or bool(code.kinds.callee(call))


def _name(call: ast.Call) -> str:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "value")
    about = call.args[0] if call.args else getattr(call.func, "value", None)
    return f"{about.id}_{name}" if isinstance(about, ast.Name) else f"{name}_value"


TRANSFORMATIONS = (
    Transformation(
        name="value-before-loop",
        family="python",
        summary="Computes once what a loop or comprehension computes each time from the same values.",
        find=_hoist,
        example=RewriteExample(
            before="""
def mean(values):
    return sum(values) / len(values)


values = [3, 1, 4, 1, 5]
print(sum([(value - mean(values)) ** 2 for value in values]))
""",
            after="""
def mean(values):
    return sum(values) / len(values)


values = [3, 1, 4, 1, 5]
values_mean = mean(values) if values else None
print(sum([(value - values_mean) ** 2 for value in values]))
""",
        ),
        languages=PYTHON,
        answers=("invariant-call",),
        prior=1.5,
        refusals=(
            "a = [1]\nwhile len(a) < 5:\n    a.append(max(a) + 1)\nprint(a)\n",
            "a = [1]\nfor i in range(len(a)):\n    print(i)\n",
            "a = []\nfor i in range(3):\n    if a:\n        print(max(a))\n",
            "def f(n):\n    print(n)\n    return n\n\n\nfor i in range(3):\n    print(f(2) + i)\n",
            "k = 1\n\n\ndef f(n):\n    return n + k\n\n\nfor i in range(3):\n    print(f(2) + i)\n    k += 1\n",
            "def f(n):\n    return [n]\n\n\na = []\nfor i in range(3):\n    a.append(f(2))\n    a[0].append(1)\n",
        ),
    ),
)
