"""Python: tables in the place of scans for equal keys."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from maxcode.policy.rewrite.python.imports import defining
from maxcode.policy.rewrite.python.tree.effects import Code, CodeEffects, code_of
from maxcode.policy.rewrite.python.tree.program import COMPREHENSIONS, Comprehension, Variable, tight
from maxcode.policy.rewrite.python.tree.shapes import (
    bound_names,
    called,
    conjuncts,
    is_number,
    method,
    only_within,
    same,
)
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

_ON_KEYS = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.BinOp, ast.operator, ast.expr_context, ast.Tuple)


@dataclass(frozen=True)
class Scan:
    """A loop over elements that does something only for those whose key equals a value."""

    target: ast.expr
    over: ast.expr
    tests: list[ast.expr]
    """Parts of the condition, the equality among them."""
    equality: ast.expr
    key: str
    value: str
    at_least: str | None
    """Lower bound of the elements where they are the numbers of a range from a bound that changes."""
    items: str
    fixed: tuple[ast.expr, ...]
    """What must stay the same for a table to stay right: the elements and their keys."""


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
    for scan in _scans(code, loop.target, loop.iter, conjuncts(branch.test), variables):
        outer = _steady_around(code, scan, variables, loop)
        if outer is None or not program.alone(outer) or not program.alone(branch):
            continue
        table = program.source.fresh("table")
        rest = [tight(program, each) for each in scan.tests if each is not scan.equality]
        rest += [f"{program.text(scan.target)} >= {scan.at_least}"] if scan.at_least else []
        body = program.replace(branch.test, " and ".join(rest)) if rest else program.unwrapped(branch)
        edits = (_filling(code, scan, table, outer), program.replace(loop.iter, f"{table}.get({scan.value}, ())"), body)
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
    scans = [list(_scans(code, loop.target, loop.iter, conjuncts(each.test), variables)) for each in branches]
    for first in scans[0]:
        same_value = [next((e for e in each if e.value == first.value and not e.at_least), None) for each in scans]
        chosen = [each for each in same_value if each is not None]
        outers = [_steady_around(code, each, variables, loop) for each in chosen]
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
    for scan in _scans(code, last.target, last.iter, tests, variables):
        outer = _steady_around(code, scan, variables, node)
        if outer is None or not program.alone(outer):
            continue
        table = program.source.fresh("table")
        rest = [tight(program, each) for each in scan.tests if each is not scan.equality]
        rest += [f"{program.text(scan.target)} >= {scan.at_least}"] if scan.at_least else []
        clause = f"{table}.get({scan.value}, ())" + (f" if {' and '.join(rest)}" if rest else "")
        closing = program.source.data[program.end(last.ifs[-1]) : program.end(node)].strip()
        if (
            len(closing) > 1
            or program.source.data[program.end(last.iter) : program.start(last.ifs[0])].strip() != b"if"
        ):
            continue  # parentheses around an iterable or a condition
        whole = Edit(program.start(last.iter), program.end(last.ifs[-1]), clause)
        yield Rewrite(node.lineno, (_filling(code, scan, table, outer), whole), weight=3.0)


def _filling(code: Code, scan: Scan, table: str, outer: ast.stmt) -> Edit:
    target = code.program.text(scan.target)
    element = f"({target})" if isinstance(scan.target, ast.Tuple) and not target.startswith("(") else target
    lines = f"{table} = {{}}\nfor {target} in {scan.items}:\n    {table}.setdefault({scan.key}, []).append({element})"
    return code.program.ahead(outer, lines)


def _scans(
    code: Code, target: ast.expr, over: ast.expr, tests: list[ast.expr], variables: list[Variable]
) -> Iterator[Scan]:
    """The ways to see a loop as a scan for equal keys, one for each equality in its condition."""
    items = _items(code, over)
    if items is None:
        return
    for place, test in enumerate(tests):
        if not all(_cannot_fail(code, each) for each in tests[:place]):
            return
        if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq):
            continue
        for key, value, text in _sides(code, test, variables):
            if _is_key(code, key, variables) and code.kinds.plain(value) and code.pure(value):
                bounds = called(over, "range")
                fixed = (key, bounds[-1] if bounds else over)
                yield Scan(target, over, tests, test, code.program.text(key), text, items[1], items[0], fixed)


def _sides(code: Code, test: ast.Compare, variables: list[Variable]) -> Iterator[tuple[ast.expr, ast.expr, str]]:
    """Side with the loop's variables, the other side, and the other side's text; a sum is solved for its part."""
    left, right = test.left, test.comparators[0]
    for key, value in ((left, right), (right, left)):
        if _mentions(code, value, variables):
            continue
        if _mentions(code, key, variables):
            yield key, value, code.program.text(value)
        if isinstance(key, ast.BinOp) and isinstance(key.op, ast.Add) and code.kinds.only(key, "int"):
            for part, other in ((key.left, key.right), (key.right, key.left)):
                if not _mentions(code, other, variables) and code.pure(other) and code.kinds.only(value, "int"):
                    text = f"{tight(code.program, value)} - {tight(code.program, other)}"
                    yield part, value, text


def _mentions(code: Code, node: ast.AST, variables: list[Variable]) -> bool:
    return any(code.program.variable.get(each) in variables for each in ast.walk(node))


def _is_key(code: Code, key: ast.expr, variables: list[Variable]) -> bool:
    """Whether an expression can be looked up and computed for every element, wanted or not."""
    simple = all(isinstance(each, _ON_KEYS) for each in ast.walk(key))
    return simple and _mentions(code, key, variables) and code.kinds.plain(key) and code.pure(key)


def _cannot_fail(code: Code, test: ast.expr) -> bool:
    """Whether a condition before the equality may be tested after it: it guards nothing."""
    if not isinstance(test, ast.Compare) or not code.pure(test):
        return False
    guards = any(isinstance(each, ast.Constant) and each.value is None for each in ast.walk(test))
    return not guards and not any(isinstance(each, (ast.Subscript, ast.Call)) for each in ast.walk(test))


def _items(code: Code, over: ast.expr) -> tuple[str, str | None] | None:
    """What a table is filled from, and the lower bound to test: a range is walked from its start."""
    bounds = called(over, "range")
    if bounds is not None and len(bounds) <= 2:
        stop = code.program.text(bounds[-1])
        if len(bounds) == 1 or is_number(bounds[0], 0):
            return f"range({stop})", None
        return (f"range({stop})", code.program.text(bounds[0])) if _not_negative(code, bounds[0]) else None
    if code.kinds.only(over, "list", "tuple") and isinstance(over, (ast.Name, ast.Attribute)):
        return code.program.text(over), None
    return None


def _not_negative(code: Code, node: ast.expr) -> bool:
    """Whether a number is surely not negative: a constant, or a loop's variable over a range from one, and sums."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _not_negative(code, node.left) and _not_negative(code, node.right)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int) and node.value >= 0
    if not isinstance(node, ast.Name):
        return False
    stores = code.program.stores(code.program.variable[node])
    for each in stores:
        loop = code.program.above[each]
        bounds = called(loop.iter, "range") if isinstance(loop, (ast.For, ast.comprehension)) else None
        if not bounds or len(bounds) > 2 or (len(bounds) == 2 and not _not_negative(code, bounds[0])):
            return False
    return bool(stores)


def _steady_around(code: Code, scan: Scan, variables: list[Variable], node: ast.AST) -> ast.stmt | None:
    """The statement to fill a table in front of: one that runs the scan again and again and changes no key."""
    program, asked = code.program, code.effects(*scan.fixed)
    if any(isinstance(owner, (ast.Lambda, *COMPREHENSIONS)) for owner, _ in asked.reads - set(variables)):
        return None
    asked.reads -= set(variables)
    asked.looks.update(code.contents(code.kinds.of(scan.over)))
    wanted = code.effects(*(each for each in (scan.equality, scan.over) if each not in scan.fixed))
    if isinstance(node, ast.For) and wanted.depends_on(_but(code.effects(*node.body), variables)):
        return None
    several = isinstance(node, COMPREHENSIONS) and len(node.generators) > 1
    found: ast.stmt | None = None
    for each in [*([program.statement(node)] if several else []), *program.loops_around(node)]:
        if asked.depends_on(code.effects(each)):
            break
        found = each
    return found


def _but(effects: CodeEffects, variables: list[Variable]) -> CodeEffects:
    effects.binds -= set(variables)
    return effects


_LOOKUP = """NAME_known = {}


def NAME(items, wanted):
    known = NAME_known.setdefault(id(items), [items, {}, 0])
    if known[2] < len(items):
        for TARGET in items[known[2]:]:
            known[1].setdefault(KEY, []).append(ELEMENT)
        known[2] = len(items)
    return known[1].get(wanted, ())
"""


def _growing(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """A scan in a function that is called again and again, over a list that only grows."""
    del setting
    code = code_of(source)
    for node in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        if isinstance(code.program.function(node), ast.FunctionDef):
            if isinstance(node, ast.For) and len(node.body) == 1 and isinstance(node.body[0], ast.If):
                branch = node.body[0]
                scans = _of_parts(code, node.target, node.iter, conjuncts(branch.test)) if not branch.orelse else []
                last = branch.body[-1]
                if scans and (isinstance(last, (ast.Return, ast.Break)) or code.pure(*branch.body)):
                    yield from _looked_up(code, scans[0])
            elif isinstance(node, COMPREHENSIONS) and len(node.generators) == 1 and node.generators[0].ifs:
                clause = node.generators[0]
                if not isinstance(node, ast.GeneratorExp) or isinstance(code.program.above[node], ast.Call):
                    tests = [part for each in clause.ifs for part in conjuncts(each)]
                    for scan in _of_parts(code, clause.target, clause.iter, tests)[:1]:
                        yield from _looked_up(code, scan)


def _of_parts(code: Code, target: ast.expr, over: ast.expr, tests: list[ast.expr]) -> list[Scan]:
    variables = bound_names(code.program, target)
    found = list(_scans(code, target, over, tests, variables)) if variables else []
    return [
        each for each in found
        if code.kinds.only(over, "list") and _keys_stay(code, each, variables or []) and _only_grows(code, over)
    ]  # fmt: skip


def _looked_up(code: Code, scan: Scan) -> Iterator[Rewrite]:
    program = code.program
    name, target = program.source.fresh("with_key"), program.text(scan.target)
    element = f"({target})" if isinstance(scan.target, ast.Tuple) and not target.startswith("(") else target
    given = {"NAME": name, "TARGET": target, "KEY": scan.key, "ELEMENT": element}
    helper = re.sub("|".join(given), lambda found: given[found[0]], _LOOKUP)
    call = program.replace(scan.over, f"{name}({program.text(scan.over)}, {scan.value})")
    yield Rewrite(scan.over.lineno, (defining(program.source, helper), call), weight=2.0)


def _only_grows(code: Code, over: ast.expr) -> bool:
    """Whether a list is only ever appended to."""
    changers = code.changers(code.contents(code.kinds.of(over))[0])
    return changers is not None and all(method(each, "append", "extend") for each in changers)


def _keys_stay(code: Code, scan: Scan, variables: list[Variable]) -> bool:
    """Whether the key of an element never changes: its attributes are set at birth, its entries once."""
    key = scan.fixed[0]
    asked = code.effects(key)
    if asked.reads - set(variables):
        return False
    for name in asked.asks:
        for each in ast.walk(code.program.tree):
            if isinstance(each, ast.Attribute) and each.attr == name and not isinstance(each.ctx, ast.Load):
                born = getattr(code.program.function(each), "name", "") == "__init__"
                if not born or not isinstance(each.value, ast.Name):
                    return False
    for part in ast.walk(key):
        if isinstance(part, ast.Subscript) and not code.kinds.only(part.value, "tuple", "str"):
            changers = code.changers(code.contents(code.kinds.of(part.value))[-1])
            if changers is None or not all(_elsewhere(each, part) for each in changers):
                return False
    return True


def _elsewhere(change: ast.AST, part: ast.Subscript) -> bool:
    """Whether an assignment to an entry is to another one than that of a key."""
    constant = isinstance(change, ast.Subscript) and isinstance(change.slice, ast.Constant)
    fixed = isinstance(part.slice, ast.Constant) and isinstance(change, ast.Subscript)
    return constant and fixed and isinstance(change, ast.Subscript) and not same(part.slice, change.slice)


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
    Transformation(
        name="lookup-for-scan",
        family="python",
        summary="Keeps a table by key beside a list that only grows, for a function that looks through it often.",
        find=_growing,
        example=RewriteExample(
            before="""
class Shop:
    def __init__(self):
        self.stock = []

    def price(self, name):
        for item in self.stock:
            if item[0] == name:
                return item[1]
        return 0


shop = Shop()
for i in range(5):
    shop.stock.append(("item", i))
    print(shop.price("item"))
""",
            after="""
with_key_known = {}


def with_key(items, wanted):
    known = with_key_known.setdefault(id(items), [items, {}, 0])
    if known[2] < len(items):
        for item in items[known[2]:]:
            known[1].setdefault(item[0], []).append(item)
        known[2] = len(items)
    return known[1].get(wanted, ())


class Shop:
    def __init__(self):
        self.stock = []

    def price(self, name):
        for item in with_key(self.stock, name):
            if item[0] == name:
                return item[1]
        return 0


shop = Shop()
for i in range(5):
    shop.stock.append(("item", i))
    print(shop.price("item"))
""",
        ),
        languages=PYTHON,
        answers=("nested-scan", "membership-in-list"),
        prior=3.0,
        refusals=(
            """
class Shop:
    def __init__(self):
        self.stock = []

    def price(self, name):
        for item in self.stock:
            if item[0] == name:
                return item[1]
        return 0


shop = Shop()
for i in range(5):
    shop.stock.append(("item", i))
    print(shop.price("item"))
    shop.stock.pop(0)
""",
            """
def price(rows, name):
    for row in rows:
        if row["name"] == name:
            return row["price"]
    return 0


rows = []
for i in range(3):
    rows.append({"name": "a", "price": i})
    rows[0]["name"] = "b"
    print(price(rows, "a"))
""",
        ),
    ),
)
