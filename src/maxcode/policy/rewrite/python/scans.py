"""Python: tables in the place of scans for equal keys."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.python.equal_keys import Scan, scans_of, steady_around
from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.program import COMPREHENSIONS, Comprehension
from maxcode.policy.rewrite.python.tree.shapes import (
    bound_names,
    conjuncts,
    only_within,
)
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def _table(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    code = code_of(source)
    if code is None:
        return
    for node in ast.walk(code.program.tree):
        if isinstance(node, ast.For) and not node.orelse and len(_branches(node.body)) == 1:
            yield from _in_loop(code, node)
        elif isinstance(node, ast.For) and not node.orelse:
            yield from _by_several_keys(code, node)
        elif isinstance(node, COMPREHENSIONS):
            yield from _in_comprehension(code, node)


def _in_loop(code: Code, loop: ast.For) -> Iterator[Rewrite]:
    branch, program = loop.body[0], code.program
    variables = bound_names(program, loop.target)
    if not isinstance(branch, ast.If) or branch.orelse or not variables or not only_within(program, variables, loop):
        return
    for scan in scans_of(code, loop.target, loop.iter, conjuncts(branch.test), variables):
        outer = steady_around(code, scan, variables, loop)
        if outer is None or not program.alone(outer) or not program.alone(branch):
            continue
        table = program.source.fresh("table")
        rest = scan.rest(code)
        body = program.replace(branch.test, " and ".join(rest)) if rest else program.unwrapped(branch)
        edits = (filling(code, scan, table, outer), program.replace(loop.iter, f"{table}.get({scan.value}, ())"), body)
        yield Rewrite(loop.lineno, edits, weight=3.0)


def _branches(body: list[ast.stmt]) -> list[ast.If]:
    """Branches of which a body consists, those of `elif` among them; none where there is anything else."""
    found: list[ast.If] = []
    for each in body:
        if not isinstance(each, ast.If):
            return []
        rest = _branches(each.orelse) if each.orelse else []
        if each.orelse and (not rest or len(each.orelse) > 1):
            return []
        found += [each, *rest]
    return found


def _by_several_keys(code: Code, loop: ast.For) -> Iterator[Rewrite]:
    """Several branches that compare one of several keys with the same value, as for the two ends of an edge."""
    program, variables, branches = code.program, bound_names(code.program, loop.target), _branches(loop.body)
    if not branches or not variables or not only_within(program, variables, loop):
        return
    scans = [list(scans_of(code, loop.target, loop.iter, conjuncts(each.test), variables)) for each in branches]
    for first in scans[0]:
        same_value = [next((e for e in each if e.value == first.value and not e.at_least), None) for each in scans]
        chosen = [each for each in same_value if each is not None]
        outers = [steady_around(code, each, variables, loop) for each in chosen]
        if len(chosen) < len(branches) or outers[0] is None or any(each is not outers[0] for each in outers):
            continue
        if not program.alone(outers[0]) or first.at_least:
            continue
        table, target = program.source.fresh("table"), program.text(loop.target)
        element = f"({target})" if isinstance(loop.target, ast.Tuple) and not target.startswith("(") else target
        keys = ", ".join(dict.fromkeys(each.key for each in chosen))
        lines = (
            f"{table} = {{}}\nfor {target} in {first.items}:\n    for key in {{{keys}}}:\n"
            f"        {table}.setdefault(key, []).append({element})"
        )
        edits = (program.ahead(outers[0], lines), program.replace(loop.iter, f"{table}.get({first.value}, ())"))
        if "key" not in program.source.names:
            yield Rewrite(loop.lineno, edits, weight=3.0)


def _in_comprehension(code: Code, node: Comprehension) -> Iterator[Rewrite]:
    last, program = node.generators[-1], code.program
    variables = bound_names(program, last.target)
    if (
        not variables
        or not last.ifs
        or (isinstance(node, ast.GeneratorExp) and not isinstance(program.above[node], ast.Call))
    ):
        return
    tests = [part for each in last.ifs for part in conjuncts(each)]
    for scan in scans_of(code, last.target, last.iter, tests, variables):
        outer = steady_around(code, scan, variables, node)
        if outer is None or not program.alone(outer):
            continue
        table = program.source.fresh("table")
        rest = scan.rest(code)
        clause = f"{table}.get({scan.value}, ())" + (f" if {' and '.join(rest)}" if rest else "")
        closing = program.source.data[program.end(last.ifs[-1]) : program.end(node)].strip()
        if (
            len(closing) > 1
            or program.source.data[program.end(last.iter) : program.start(last.ifs[0])].strip() != b"if"
        ):
            continue  # parentheses around an iterable or a condition
        whole = Edit(program.start(last.iter), program.end(last.ifs[-1]), clause)
        yield Rewrite(node.lineno, (filling(code, scan, table, outer), whole), weight=3.0)


def filling(code: Code, scan: Scan, table: str, outer: ast.stmt) -> Edit:
    target = code.program.text(scan.target)
    element = f"({target})" if isinstance(scan.target, ast.Tuple) and not target.startswith("(") else target
    lines = f"{table} = {{}}\nfor {target} in {scan.items}:\n    {table}.setdefault({scan.key}, []).append({element})"
    return code.program.ahead(outer, lines)


TRANSFORMATIONS = (
    Transformation(
        name="table-for-scan",
        family="python",
        summary="Fills a table of elements by key once, where a loop looks through all elements for those with a key.",
        find=_table,
        example=RewriteExample(
            before="""
people = [("ann", 3), ("bob", 5), ("cid", 3)]
pairs = 0
for name, age in people:
    for other, years in people:
        if years == age and other != name:
            pairs += 1
print(pairs)
""",
            after="""
people = [("ann", 3), ("bob", 5), ("cid", 3)]
pairs = 0
table = {}
for other, years in people:
    table.setdefault(years, []).append((other, years))
for name, age in people:
    for other, years in table.get(age, ()):
        if (other != name):
            pairs += 1
print(pairs)
""",
        ),
        languages=PYTHON,
        answers=("nested-scan",),
        prior=3.0,
        refusals=(
            """
people = [("ann", 3), ("bob", 5)]
total = 0
for name, age in people:
    for other, years in people:
        if years == age:
            people = people[:1]
            total += 1
print(total)
""",
            """
rows = [[1], [2]]
found = 0
for row in rows:
    for other in rows:
        if other == row:
            found += 1
print(found)
""",
            """
items = [1, 2]
wanted = 1
for turn in range(2):
    for item in items:
        if item == wanted:
            wanted += 1
print(wanted)
""",
            """
items = [1, 2]
for wanted in range(2):
    for item in items:
        if item == wanted:
            print(item)
    items.append(wanted)
""",
        ),
    ),
)
