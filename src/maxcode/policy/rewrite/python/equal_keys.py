"""Python: loops that look through all elements for those whose key equals a value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from maxcode.policy.rewrite.python.tree.effects import Code, CodeEffects
from maxcode.policy.rewrite.python.tree.program import COMPREHENSIONS, Variable, tight
from maxcode.policy.rewrite.python.tree.shapes import called, is_number

_ON_KEYS = (
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.Constant,
    ast.BinOp,
    ast.operator,
    ast.expr_context,
    ast.Tuple,
    ast.Call,
)


@dataclass(frozen=True)
class Scan:
    """A loop over elements that does something only for those whose key equals a value."""

    target: ast.expr
    over: ast.expr
    tests: list[ast.expr]
    """Parts of the condition, the equality among them."""
    equalities: tuple[ast.expr, ...]
    """The equalities that a table answers: those among floats are tested still, as nan is not equal to itself."""
    key: str
    value: str
    at_least: str | None
    """Lower bound of the elements where they are the numbers of a range from a bound that changes."""
    items: str
    fixed: tuple[ast.expr, ...]
    """What must stay the same for a table to stay right: the keys, and last the elements."""

    def rest(self, code: Code) -> list[str]:
        """Conditions that are left to test."""
        answered = [each for each in self.equalities if not _has_floats(code, each)]
        texts = [tight(code.program, each) for each in self.tests if each not in answered]
        return texts + ([f"{code.program.text(self.target)} >= {self.at_least}"] if self.at_least else [])


def _has_floats(code: Code, equality: ast.expr) -> bool:
    sides = (equality.left, *equality.comparators) if isinstance(equality, ast.Compare) else ()
    return not all(code.kinds.plain(each) for each in sides)


def scans_of(
    code: Code, target: ast.expr, over: ast.expr, tests: list[ast.expr], variables: list[Variable]
) -> Iterator[Scan]:
    """The ways to see a loop as a scan for equal keys: by all equalities in its condition, and by each."""
    items = _items(code, over)
    if items is None:
        return
    bounds = called(over, "range")
    found: list[Scan] = []
    for place, test in enumerate(tests):
        if not all(_cannot_fail(code, each) or _asks_alike(each) for each in tests[:place]):
            break
        if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq):
            continue
        for key, value, text in _sides(code, test, variables):
            if _is_key(code, key, variables) and code.kinds.hashable(value) and code.pure(value):
                fixed = (key, bounds[-1] if bounds else over)
                found.append(Scan(target, over, tests, (test,), code.program.text(key), text, *items[::-1], fixed))
    first = {each.equalities: each for each in reversed(found)}
    if len(first) > 1:
        keys, values = (", ".join(getattr(each, name) for each in first.values()) for name in ("key", "value"))
        all_fixed = (*(each.fixed[0] for each in first.values()), found[0].fixed[-1])
        equalities = tuple(part for each in first for part in each)
        yield replace(found[0], equalities=equalities, key=f"({keys})", value=f"({values})", fixed=all_fixed)
    for each in found:
        if all(_cannot_fail(code, test) for test in tests[: tests.index(each.equalities[0])]):
            yield each


def _asks_alike(test: ast.expr) -> bool:
    """Whether a condition compares with what changes, as keys do; a constant may tell what else an element has."""
    is_equality = isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)
    return is_equality and not any(isinstance(each, ast.Constant) for each in (test.left, *test.comparators))  # type: ignore[attr-defined]


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
    return simple and _mentions(code, key, variables) and code.kinds.hashable(key) and code.pure(key)


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


def steady_around(code: Code, scan: Scan, variables: list[Variable], node: ast.AST) -> ast.stmt | None:
    """The statement to fill a table in front of: one that runs the scan again and again and changes no key."""
    program, asked = code.program, code.effects(*scan.fixed)
    if any(isinstance(owner, (ast.Lambda, *COMPREHENSIONS)) for owner, _ in asked.reads - set(variables)):
        return None
    asked.reads -= set(variables)
    asked.looks.update(code.contents(code.kinds.of(scan.over)))
    wanted = code.effects(*(each for each in (*scan.equalities, scan.over) if each not in scan.fixed))
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
