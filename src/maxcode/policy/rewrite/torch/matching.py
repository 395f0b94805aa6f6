"""Patterns of torch operators, found in a function however its steps are spread over statements.

A pattern is an expression in which names that begin with an underscore stand for anything, the same thing each time.
Sums and products match in any order, constants by value, and names for what was assigned to them.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from maxcode.policy.rewrite.torch.flow import StatementFlow, names_read
from maxcode.policy.rewrite.torch.operations import SIGNATURES, Op, constant, operation

MOST_TERMS = 6
MOST_TRIES = 2000
"""Most steps of matching one pattern at one place: code with hundreds of equal terms would take too long."""
DEFAULTS: dict[str, object] = {"keepdim": False, "unbiased": True, "alpha": 1, "inplace": False, "approximate": "none"}


@dataclass(frozen=True, eq=False)
class Bound:
    """An expression and the statement in which it stands."""

    node: ast.expr
    at: int


@dataclass(frozen=True, eq=False)
class Match:
    names: dict[str, Bound] = field(default_factory=dict)
    used: frozenset[int] = frozenset()
    """Assignments that the pattern looked through."""


@lru_cache(maxsize=512)
def parsed(pattern: str) -> ast.expr:
    return ast.parse(pattern, mode="eval").body


Rank = Callable[[ast.expr], int | None]
"""The number of dimensions of an expression, where it is known."""


@dataclass(frozen=True, eq=False)
class Matcher:
    flow: StatementFlow
    rank: Rank
    tried: list[int] = field(default_factory=lambda: [0])

    def matches(self, pattern: str, node: ast.expr, at: int) -> Iterator[Match]:
        self.tried[0] = 0
        return self._match(parsed(pattern), Bound(node, at), Match())

    def _match(self, pattern: ast.expr, bound: Bound, match: Match) -> Iterator[Match]:
        self.tried[0] += 1
        if self.tried[0] > MOST_TRIES:
            return
        if isinstance(pattern, ast.Name) and pattern.id.startswith("_"):
            yield from self._variable(pattern.id, bound, match)
            return
        wanted = constant(pattern)
        if wanted is not None:
            yield from self._constant(wanted, bound, match)
            return
        if isinstance(pattern, ast.Constant):
            if isinstance(bound.node, ast.Constant) and bound.node.value == pattern.value:
                yield match
            return
        yield from self._operator(pattern, bound, match)
        yield from self._through_name(pattern, bound, match)

    def _through_name(self, pattern: ast.expr, bound: Bound, match: Match) -> Iterator[Match]:
        found = self.flow.definition(bound.node.id, bound.at) if isinstance(bound.node, ast.Name) else None
        if found is not None:
            where, value = found
            yield from self._match(pattern, Bound(value, where), Match(match.names, match.used | {where}))

    def _variable(self, name: str, bound: Bound, match: Match) -> Iterator[Match]:
        if name == "_":
            yield match
        elif name not in match.names:
            yield Match({**match.names, name: bound}, match.used)
        elif self.same(match.names[name], bound):
            yield match

    def same(self, one: Bound, other: Bound) -> bool:
        """Whether two expressions are written alike and read the same values."""
        if ast.dump(one.node) != ast.dump(other.node):
            return False
        reads = {name.id for name in names_read(one.node)}
        return all(self.flow.before[one.at].get(each) == self.flow.before[other.at].get(each) for each in reads)

    def _constant(self, wanted: float, bound: Bound, match: Match) -> Iterator[Match]:
        value, used = constant(bound.node), match.used
        if value is None and isinstance(bound.node, ast.Name):
            found = self.flow.definition(bound.node.id, bound.at)
            if found is not None:
                value, used = constant(found[1]), used | {found[0]}
        if value is not None and (value == wanted or math.isclose(value, wanted, rel_tol=1e-6)):
            yield Match(match.names, used)

    def _operator(self, pattern: ast.expr, bound: Bound, match: Match) -> Iterator[Match]:
        wanted, found = self.view(pattern), self.view(bound.node)
        if isinstance(pattern, ast.Compare) and isinstance(bound.node, ast.Compare):
            if [type(each) for each in pattern.ops] == [type(each) for each in bound.node.ops]:
                wanted_parts = [pattern.left, *pattern.comparators]
                parts = [bound.node.left, *bound.node.comparators]
                yield from self._arguments([*wanted_parts], [*parts], "", bound.at, match)
            return
        if wanted is None:
            if type(pattern) is type(bound.node) and ast.dump(pattern) == ast.dump(bound.node):
                yield match
            return
        if wanted.name == "pow" and found is not None and found.name == "mul" and constant(wanted.args[1]) == 2:
            yield from self._arguments([wanted.args[0]] * 2, list(found.args), "mul", bound.at, match)
        elif wanted.name in ("add", "mul") and found is not None:
            yield from self._sum_or_product(wanted.name, pattern, bound, match)
        elif found is not None and found.name == wanted.name and len(found.args) == len(wanted.args):
            yield from self._arguments(list(wanted.args), list(found.args), wanted.name, bound.at, match)

    def view(self, node: ast.expr) -> Op | None:
        """The operator of an expression; ways to swap the last two dimensions all look like `mT`."""
        found = operation(node, self.flow.modules)
        if found is None or found.args[0] is None:
            return found
        if found.name in ("transpose", "permute"):
            numbers = [constant(each) for each in found.args[1:]]
            rank = self.rank(found.args[0])
            if _swaps_last(found.name, [None if each is None else int(each) for each in numbers], rank):
                return Op("mT", (found.args[0],))
        if found.name in ("t", "T") and self.rank(found.args[0]) in (None, 2):
            return Op("mT", (found.args[0],))
        if found.name in ("mm", "bmm"):
            return Op("matmul", found.args)
        return found

    def _arguments(
        self, wanted: list[ast.expr | None], found: list[ast.expr | None], name: str, at: int, match: Match
    ) -> Iterator[Match]:
        if not wanted:
            yield match
            return
        first, node = wanted[0], found[0]
        if first is None or node is None:
            if _missing(name, len(wanted), first, node):
                yield from self._arguments(wanted[1:], found[1:], name, at, match)
            return
        for each in self._match(first, Bound(node, at), match):
            yield from self._arguments(wanted[1:], found[1:], name, at, each)

    def _sum_or_product(self, name: str, pattern: ast.expr, bound: Bound, match: Match) -> Iterator[Match]:
        wanted, number = _gathered(self._terms(name, Bound(pattern, bound.at)))
        for terms, used in self._expansions(name, [bound], len(wanted)):
            parts, value = _gathered(terms)
            nodes, seen = [each.node for each in wanted], Match(match.names, match.used | used)
            if len(parts) == len(wanted) and _equal(value, number, name):
                yield from self._bijection(nodes, parts, seen)
            if (
                value
                and not number
                and len(terms) == len(wanted)
                and all(hasattr(each.node, "lineno") for each in terms)
            ):
                yield from self._bijection(nodes, terms, seen)

    def _bijection(self, wanted: list[ast.expr], parts: list[Bound], match: Match) -> Iterator[Match]:
        if not wanted:
            yield match
            return
        for i, part in enumerate(parts):
            for each in self._match(wanted[0], part, match):
                yield from self._bijection(wanted[1:], parts[:i] + parts[i + 1 :], each)

    def _terms(self, name: str, bound: Bound) -> list[Bound]:
        """What a sum or product is made of; division by a number is a factor."""
        found = operation(bound.node, self.flow.modules)
        if constant(bound.node) is not None or found is None or None in found.args[:2] or any(found.args[2:]):
            return [bound]
        left = [Bound(each, bound.at) for each in found.args if each is not None]
        if found.name == name:
            return [term for each in left for term in self._terms(name, each)]
        divisor = constant(left[1].node) if found.name in ("div", "sub") else None
        if divisor and (found.name, name) == ("div", "mul"):
            return [*self._terms(name, left[0]), Bound(ast.Constant(value=1 / divisor), bound.at)]
        if divisor is not None and (found.name, name) == ("sub", "add"):
            return [*self._terms(name, left[0]), Bound(ast.Constant(value=-divisor), bound.at)]
        return [bound]

    def _expansions(self, name: str, start: list[Bound], most: int) -> Iterator[tuple[list[Bound], frozenset[int]]]:
        """The terms as they stand, then with names taken for what they were assigned."""
        waiting = [([term for each in start for term in self._terms(name, each)], frozenset[int]())]
        tried = 0
        while waiting and tried < 8:
            terms, used = waiting.pop(0)
            tried += 1
            yield terms, used
            if len(terms) > MOST_TERMS:
                continue
            for i, term in enumerate(terms):
                found = self.flow.definition(term.node.id, term.at) if isinstance(term.node, ast.Name) else None
                if found is not None and len(_gathered(terms)[0]) <= most:
                    inner = self._terms(name, Bound(found[1], found[0]))
                    waiting.append(([*terms[:i], *inner, *terms[i + 1 :]], used | {found[0]}))


def _gathered(terms: list[Bound]) -> tuple[list[Bound], list[float]]:
    """Terms split into those that are not numbers, and the numbers."""
    numbers = [constant(each.node) for each in terms]
    parts = [each for each, number in zip(terms, numbers, strict=True) if number is None]
    return parts, [each for each in numbers if each is not None]


def _equal(some: list[float], others: list[float], name: str) -> bool:
    one, other = (math.prod(each) if name == "mul" else math.fsum(each) for each in (some, others))
    return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-12)


def _swaps_last(name: str, numbers: list[int | None], rank: int | None) -> bool:
    if any(each is None for each in numbers):
        return False
    given = [int(each) for each in numbers if each is not None]
    if name == "transpose":
        last = [{-2, -1}, {2, 3}] if rank is None else [{-2, -1}, {rank - 2, rank - 1}]
        return set(given) in last
    return len(given) > 2 and [each % len(given) for each in given] == [
        *range(len(given) - 2),
        len(given) - 1,
        len(given) - 2,
    ]


def _missing(name: str, left: int, wanted: ast.expr | None, found: ast.expr | None) -> bool:
    """Whether an argument that only one side gives has its default value."""
    given = wanted if wanted is not None else found
    if given is None:
        return True
    signature = SIGNATURES.get(name, ())
    if not signature:
        return False
    parameter = signature[len(signature) - left]
    return isinstance(given, ast.Constant) and parameter in DEFAULTS and given.value == DEFAULTS[parameter]
