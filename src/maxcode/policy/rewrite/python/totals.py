"""Python: sums, minima, counts and positions kept or made once in the place of walks through a list."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.python.imports import defining, with_imports
from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.program import tight
from maxcode.policy.rewrite.python.tree.shapes import called, method, same
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

_BETWEEN = """def between(sums, first, last):
    first, last, _ = slice(first, last).indices(len(sums) - 1)
    return sums[last] - sums[first] if last > first else 0
"""


def _prefix(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`sum(items[first:last])` in a loop that leaves the whole numbers in the list alone."""
    del setting
    code = code_of(source)
    for call in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        found = _summed(code, call)
        if found is None or not isinstance(call, ast.Call) or "between" in source.names:
            continue
        items, first, last, guard = found
        outer = _outermost(code, call, items)
        if outer is None:
            continue
        sums = source.fresh("sums")
        new = f"between({sums}, {first}, {last})"
        new = f"({new} if {guard} else {code.program.text(call)})" if guard else new
        top = defining(source, _BETWEEN)
        line = code.program.ahead(outer, f"{sums} = [0, *accumulate({ast.unparse(items)})]")
        edits = with_imports(source, (top, line, code.program.replace(call, new)), "from itertools import accumulate")
        if edits is not None:
            yield Rewrite(call.lineno, edits, weight=2.0)


def _summed(code: Code, call: ast.AST) -> tuple[ast.expr, str, str, str] | None:
    """The list, the bounds, and a condition under which the bounds are as they look."""
    given, text = called(call, "sum"), code.program.text
    if not given or len(given) != 1:
        return None
    over = given[0]
    if isinstance(over, ast.Subscript) and isinstance(over.slice, ast.Slice) and over.slice.step is None:
        bounds = [text(each) if each is not None else "None" for each in (over.slice.lower, over.slice.upper)]
        whole = code.kinds.only(over.value, "list") and code.kinds.only(code.kinds.of(over.value).held(), "int")
        return (
            (over.value, bounds[0], bounds[1], "")
            if whole and isinstance(over.value, (ast.Name, ast.Attribute))
            else None
        )
    if not isinstance(over, (ast.ListComp, ast.GeneratorExp)) or len(over.generators) != 1 or over.generators[0].ifs:
        return None
    clause, element = over.generators[0], over.elt
    steps = called(clause.iter, "range")
    indexed = isinstance(element, ast.Subscript) and isinstance(element.value, (ast.Name, ast.Attribute))
    if (
        not steps
        or len(steps) > 2
        or not indexed
        or not isinstance(element, ast.Subscript)
        or not same(element.slice, clause.target)
    ):
        return None
    whole = code.kinds.only(element.value, "list") and code.kinds.only(code.kinds.of(element.value).held(), "int")
    if not whole or not code.pure(*steps) or any(isinstance(each, ast.Try) for each in ast.walk(code.program.tree)):
        return None
    first, last = ("0", text(steps[0])) if len(steps) == 1 else (text(steps[0]), text(steps[1]))
    guard = (
        f"{last} >= 0"
        if first == "0"
        else f"{tight(code.program, steps[0])} >= 0 and {tight(code.program, steps[-1])} >= 0"
    )
    return element.value, first, last, guard


def _outermost(code: Code, node: ast.AST, items: ast.expr) -> ast.stmt | None:
    """The outermost loop around a place that leaves a list as it is."""
    outer, contents = None, set(code.contents(code.kinds.of(items)))
    for loop in code.program.loops_around(node):
        effects = code.effects(loop)
        if not code.steady(items, loop) or {each.root() for each in effects.changes} & contents:
            break
        outer = loop
    return outer if outer is not None and code.program.alone(outer) else None


def _counts(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`items.count(x)` and `items.index(x)` in loops that leave the list alone."""
    del setting
    code = code_of(source)
    for call in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        found = method(call, "count", "index")
        if (
            found is None
            or len(found[1]) != 1
            or not isinstance(call, ast.Call)
            or not isinstance(call.func, ast.Attribute)
        ):
            continue
        items, name = found[0], call.func.attr
        caught = any(isinstance(each, ast.Try) for each in ast.walk(code.program.tree))
        if (
            not code.kinds.only(items, "list")
            or not code.kinds.hashable(code.kinds.of(items).held())
            or (name == "index" and caught)
        ):
            continue
        outer = _outermost(code, call, items)
        if outer is None:
            outer = _comprehended(code, call, items)
        if outer is None or not code.kinds.hashable(found[1][0]):
            continue
        table, text = source.fresh("counts" if name == "count" else "places"), ast.unparse(items)
        made = (
            f"Counter({text})"
            if name == "count"
            else f"{{each: place for place, each in reversed(list(enumerate({text})))}}"
        )
        new = code.program.replace(call, f"{table}[{code.program.text(found[1][0])}]")
        edits = with_imports(
            source,
            (code.program.ahead(outer, f"{table} = {made}"), new),
            *(["from collections import Counter"] if name == "count" else []),
        )
        if edits is not None:
            yield Rewrite(call.lineno, edits, weight=2.0)


def _comprehended(code: Code, call: ast.Call, items: ast.expr) -> ast.stmt | None:
    """The statement around a comprehension that asks again and again."""
    around, statement = list(code.program.around(call)), code.program.statement(call)
    inner = [
        each
        for each in around[: around.index(statement)]
        if isinstance(each, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp))
    ]
    simple = isinstance(statement, (ast.Assign, ast.Expr, ast.Return, ast.AugAssign)) and code.program.alone(statement)
    changes = {each.root() for each in code.effects(*inner).changes} & set(code.contents(code.kinds.of(items)))
    return statement if inner and simple and not changes and code.steady(items, *inner) else None


def _running(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`sum(items)` where the list only grows, one element at a time."""
    code = code_of(source)
    seen = set()
    for call in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        given = called(call, "sum", "max", "min")
        if not given or len(given) != 1 or not isinstance(given[0], ast.Name) or not isinstance(call, ast.Call):
            continue
        items, name = given[0], ast.unparse(call.func)
        key = (code.program.variable[items], name)
        kinds = ("int", "float") if setting.relaxed_floats or name != "sum" else ("int",)
        whole = code.kinds.only(items, "list") and code.kinds.only(code.kinds.of(items).held(), *kinds)
        if key in seen or not whole or not code.program.loops_around(call):
            continue
        seen.add(key)
        edits = _kept(code, items, name)
        if edits:
            yield Rewrite(call.lineno, tuple(edits), name, weight=2.0)


def _kept(code: Code, items: ast.Name, function: str) -> list[Edit]:
    """Edits that keep a sum or an extreme beside a list; none where the list changes in other ways than growing."""
    program, contents = code.program, code.contents(code.kinds.of(items))
    changers = code.changers(contents[0])
    kept = program.source.fresh(f"{items.id}_{function}")
    edits: list[Edit] = []
    for each in changers or ():
        found = method(each, "append")
        statement = program.above[each]
        if (
            found is None
            or not isinstance(statement, ast.Expr)
            or not program.alone(statement)
            or not code.pure(found[1][0])
        ):
            return []
        if not isinstance(found[0], ast.Name) or program.variable[found[0]] != program.variable[items]:
            return []
        if function == "sum":
            edits.append(program.behind(statement, f"{kept} += {items.id}[-1]"))
        else:
            sign = ">" if function == "max" else "<"
            edits.append(
                program.behind(
                    statement, f"if {kept} is None or {items.id}[-1] {sign} {kept}:\n    {kept} = {items.id}[-1]"
                )
            )
    if not edits:
        return []
    for place in code.reaches(contents[0]):
        above = program.above[place]
        if not isinstance(place, ast.Name) or program.variable[place] != program.variable[items]:
            return []
        if isinstance(place.ctx, ast.Store):
            if (
                not isinstance(above, ast.Assign)
                or not isinstance(above.value, ast.List)
                or above.value.elts
                or not program.alone(above)
            ):
                return []
            if len(above.targets) != 1:
                return []
            edits.append(program.behind(above, f"{kept} = {'0' if function == 'sum' else 'None'}"))
        elif called(above, function) == [place]:
            in_doubt = function != "sum"
            text = f"({kept} if {items.id} else {function}({items.id}))" if in_doubt else kept
            edits.append(
                program.replace(above, text) if isinstance(above, ast.expr) else program.replace(place, items.id)
            )
    return edits


TRANSFORMATIONS = (
    Transformation(
        name="prefix-sums",
        family="python",
        summary="Answers sums over ranges of a list from sums made once.",
        find=_prefix,
        example=RewriteExample(
            before="""
values = [3, 1, 4, 1, 5, 9, 2, 6]
best = 0
for i in range(len(values) - 2):
    if sum(values[i:i + 3]) > best:
        best = i
print(best)
""",
            after="""
from itertools import accumulate

def between(sums, first, last):
    first, last, _ = slice(first, last).indices(len(sums) - 1)
    return sums[last] - sums[first] if last > first else 0

values = [3, 1, 4, 1, 5, 9, 2, 6]
best = 0
sums = [0, *accumulate(values)]
for i in range(len(values) - 2):
    if between(sums, i, i + 3) > best:
        best = i
print(best)
""",
        ),
        languages=PYTHON,
        answers=("repeated-sum", "accumulation"),
        prior=2.5,
        refusals=(
            "values = [3, 1, 4]\nfor i in range(3):\n    print(sum(values[i:i + 2]))\n    values[i] = 0\n",
            "values = [0.1, 0.2]\nfor i in range(2):\n    print(sum(values[i:]))\n",
            "values = [1, 2]\nprint(sum(values[1:]))\n",
        ),
    ),
    Transformation(
        name="table-for-count",
        family="python",
        summary="Counts or places all elements of a list once where a loop asks for one after another.",
        find=_counts,
        example=RewriteExample(
            before="""
words = "to be or not to be".split()
for word in sorted(set(words)):
    print(word, words.count(word), words.index(word))
""",
            after="""
from collections import Counter

words = "to be or not to be".split()
counts = Counter(words)
for word in sorted(set(words)):
    print(word, counts[word], words.index(word))
""",
        ),
        languages=PYTHON,
        answers=("counting", "membership-in-list"),
        prior=2.5,
        refusals=(
            "words = ['a']\nfor i in range(3):\n    words.append('a')\n    print(words.count('a'))\n",
            "text = 'abc'\nfor i in range(3):\n    print(text.count('a'))\n",
            """
words = ['a']
for word in ['a', 'b']:
    try:
        print(words.index(word))
    except ValueError:
        print(0)
""",
        ),
    ),
    Transformation(
        name="running-total",
        family="python",
        summary="Keeps the sum or the extreme of a list that grows.",
        find=_running,
        example=RewriteExample(
            before="""
values = []
for value in [3, 1, 4, 1, 5]:
    values.append(value)
    print(sum(values) / len(values))
""",
            after="""
values = []
values_sum = 0
for value in [3, 1, 4, 1, 5]:
    values.append(value)
    values_sum += values[-1]
    print(values_sum / len(values))
""",
        ),
        languages=PYTHON,
        answers=("accumulation",),
        prior=2.5,
        refusals=(
            "values = []\nfor value in [3, 1]:\n    values.append(value)\n    print(sum(values))\n    values.pop()\n",
            "values = []\nfor value in [0.1, 0.2]:\n    values.append(value)\n    print(sum(values))\n",
            "values = []\nother = values\nfor value in [3, 1]:\n    other.append(value)\n    print(sum(values))\n",
        ),
    ),
)
