"""Python: what the standard library does better, as rules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from tree_sitter import Node

from maxcode.policy.rewrite.patterns import Condition, Holes, PatternMatch, Rule, matches
from maxcode.policy.rewrite.python.code import scope_of
from maxcode.policy.rewrite.python.effects import bound, pure
from maxcode.policy.rewrite.python.imports import with_imports
from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.kinds import SCALARS, ValueCell
from maxcode.policy.rewrite.source import SourceFile, field
from maxcode.policy.rewrite.transformation import PYTHON, Find, Rewrite, RewriteExample, Setting, Transformation


def _finder(*rules: Rule) -> Find:
    """A transformation's rewrites by rules: every place at once, then each alone."""

    def find(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
        del setting
        found = [match for rule in rules for match in matches(source, rule)]
        if len(found) > 1 and not _overlap(found):
            yield from _rewrite(source, found, "all", 2.0)
        for match in found:
            yield from _rewrite(source, [match], "", 1.0)

    return find


def _overlap(found: list[PatternMatch]) -> bool:
    spans = sorted((match.nodes[0].start_byte, match.nodes[-1].end_byte) for match in found)
    return any(first[1] > second[0] for first, second in pairwise(spans))


def _rewrite(source: SourceFile, found: list[PatternMatch], options: str, weight: float) -> Iterator[Rewrite]:
    needs = dict.fromkeys(line for match in found for line in match.rule.needs)
    edits = with_imports(source, tuple(match.edit(source) for match in found), *needs)
    if edits is not None:
        yield Rewrite(min(source.line(match.nodes[0]) for match in found), edits, options, weight)


def _own(source: SourceFile, holes: Holes) -> bool:
    """Whether `$x` is made in this function, so that nobody else sees its order."""
    scope = scope_of(holes["x"])
    return scope.type == "function_definition" and source.text(holes["x"]) in bound(source, field(scope, "body"))


def _count(source: SourceFile, holes: Holes) -> bool:
    """Whether `$n` is a number of elements, and not counted from the end."""
    return holes["n"].type in ("identifier", "integer") and pure(source, holes["n"])


def _own_count(source: SourceFile, holes: Holes) -> bool:
    return _own(source, holes) and _count(source, holes)


def _same_default(source: SourceFile, holes: Holes) -> bool:
    return pure(source, holes["k"]) and source.text(holes["v"]) in ("[]", "set()", "{}", "0", "list()", "dict()")


def _kinds(source: SourceFile, node: Node) -> tuple[Code, ast.expr] | None:
    """What is known of the program, and its expression at the place of a node."""
    code = code_of(source)
    found = code.at(node.start_byte, node.end_byte) if code is not None else None
    return (code, found) if code is not None and found is not None else None


def _is(kind: str, *holes: str, held: str | None = None) -> Condition:
    """Condition that holes are of a kind, and hold values of a kind; "plain" stands for any that nobody changes."""

    def holds(source: SourceFile, given: Holes) -> bool:
        known = [_kinds(source, given[hole]) for hole in holes]
        return all(each is not None and _fits(each[0], each[1], kind, held) for each in known)

    return holds


def _fits(code: Code, node: ast.expr, kind: str, held: str | None) -> bool:
    def of_kind(what: ast.expr | ValueCell, wanted: str) -> bool:
        if wanted == "plain":
            return code.kinds.plain(what) or code.kinds.only(what, *SCALARS, "float")
        return code.kinds.only(what, wanted)

    if kind == "table":  # rows that are each a list of their own
        rows = code.kinds.of(node).held()
        shared = any(isinstance(e, ast.BinOp) and code.kinds.only(e.left, "list") and code.kinds.only(
            code.kinds.of(e.left).held(), "list") for e in ast.walk(code.program.tree))  # fmt: skip
        return of_kind(node, "list") and of_kind(rows, "list") and of_kind(rows.held(), "plain") and not shared
    return of_kind(node, kind) and (held is None or of_kind(code.kinds.of(node).held(), held))


def _constant_unused(source: SourceFile, holes: Holes) -> bool:
    """Whether `$v` is a constant or a variable that is not the loop's, and `$n` a whole number."""
    known = _kinds(source, holes["v"])
    constant = known is not None and isinstance(known[1], ast.Constant)
    plain = constant or (holes["v"].type == "identifier" and _is("plain", "v")(source, holes))
    return plain and source.text(holes["v"]) != source.text(holes["i"]) and _is("int", "n")(source, holes)


_HEAP = ("import heapq",)

_LEAST = _finder(
    Rule("sorted($x)[0]", "min($x)"),
    Rule("sorted($x, key=$k)[0]", "min($x, key=$k)"),
    Rule("$x.sort(key=$k)\nreturn $x[0]", "return min($x, key=$k)", _own),
    Rule("$x.sort()\nreturn $x[0]", "return min($x)", _own),
    Rule("sorted($x, key=$k)[:$n]", "heapq.nsmallest($n, $x, key=$k)", _count, _HEAP),
    Rule("sorted($x)[:$n]", "heapq.nsmallest($n, $x)", _count, _HEAP),
    Rule("sorted($x, key=$k, reverse=True)[:$n]", "heapq.nlargest($n, $x, key=$k)", _count, _HEAP),
    Rule("sorted($x, reverse=True)[:$n]", "heapq.nlargest($n, $x)", _count, _HEAP),
    Rule("$x.sort(key=$k)\nreturn $x[:$n]", "return heapq.nsmallest($n, $x, key=$k)", _own_count, _HEAP),
)
_SETDEFAULT = _finder(
    Rule("if $k not in $d:\n    $d[$k] = $v\n$d[$k].append($e)", "$d.setdefault($k, $v).append($e)", _same_default),
    Rule("if $k not in $d:\n    $d[$k] = $v\n$d[$k].add($e)", "$d.setdefault($k, $v).add($e)", _same_default),
)
_TABLE, _PLAIN_LIST = _is("table", "x"), _is("list", "x", held="plain")
_COPY = _finder(
    *(
        rule
        for name in ("copy.deepcopy", "deepcopy")
        for rule in (
            Rule(f"{name}($x)", "[row[:] for row in $x]", _TABLE),
            Rule(f"{name}($x)", "$x[:]", _PLAIN_LIST),
            Rule(f"{name}($x)", "$x.copy()", _is("set", "x", held="plain")),
        )
    ),
    Rule("[$c for $c in $x]", "$x[:]", _is("list", "x")),
    Rule("[[$c for $c in $r] for $r in $x]", "[$r[:] for $r in $x]", _TABLE),
)
_REPEAT = _finder(Rule("[$v for $i in range($n)]", "[$v] * $n", _constant_unused))

TRANSFORMATIONS = (
    Transformation(
        name="least-for-sorted",
        family="python",
        summary="Takes the least or greatest few elements without sorting the others.",
        find=_LEAST,
        example=RewriteExample(
            before="""
def best(marks, n):
    ranked = [(-mark, name) for name, mark in marks.items()]
    ranked.sort(key=lambda pair: (pair[0], pair[1]))
    return ranked[:n]


print(best({"a": 1, "b": 3, "c": 2}, 2))
""",
            after="""
import heapq


def best(marks, n):
    ranked = [(-mark, name) for name, mark in marks.items()]
    return heapq.nsmallest(n, ranked, key=lambda pair: (pair[0], pair[1]))


print(best({"a": 1, "b": 3, "c": 2}, 2))
""",
        ),
        languages=PYTHON,
        prior=1.5,
        refusals=(
            "def f(x):\n    x.sort()\n    return x[0]\n\n\nx = [2, 1]\nf(x)\nprint(x)\n",
            "print(sorted([2, 1])[:-1])\n",
        ),
    ),
    Transformation(
        name="setdefault-for-check",
        family="python",
        summary="Looks a key up once where it is tested, set and used.",
        find=_SETDEFAULT,
        example=RewriteExample(
            before="""
groups = {}
for word in ["ant", "bee", "ape"]:
    if word[0] not in groups:
        groups[word[0]] = []
    groups[word[0]].append(word)
print(groups)
""",
            after="""
groups = {}
for word in ["ant", "bee", "ape"]:
    groups.setdefault(word[0], []).append(word)
print(groups)
""",
        ),
        languages=PYTHON,
        refusals=("d = {}\nfor k in 'ab':\n    if k not in d:\n        d[k] = [k]\n    d[k].append(1)\n",),
    ),
    Transformation(
        name="copy-for-deepcopy",
        family="python",
        summary="Copies lists of plain values by slices.",
        find=_COPY,
        example=RewriteExample(
            before="""
import copy

grid = [[0, 1], [1, 0]]
before = copy.deepcopy(grid)
grid[0][0] = 5
print(before, grid)
""",
            after="""
import copy

grid = [[0, 1], [1, 0]]
before = [row[:] for row in grid]
grid[0][0] = 5
print(before, grid)
""",
        ),
        languages=PYTHON,
        answers=("copying",),
        prior=3.0,
        refusals=(
            "import copy\n\ngrid = [[[0]], [[1]]]\nprint(copy.deepcopy(grid))\n",
            "import copy\n\nrow = [0]\ngrid = [row] * 2\nprint(copy.deepcopy([grid[0], grid[1]]))\n",
        ),
    ),
    Transformation(
        name="repeat-for-comprehension",
        family="python",
        summary="Repeats one value by a product instead of a comprehension.",
        find=_REPEAT,
        example=RewriteExample(
            before="""
n = 3
table = [[0 for _ in range(n)] for _ in range(n)]
table[0][0] = 1
print(table)
""",
            after="""
n = 3
table = [[0] * n for _ in range(n)]
table[0][0] = 1
print(table)
""",
        ),
        languages=PYTHON,
        prior=0.8,
        refusals=(
            "print([i for i in range(3)])\n",
            "print([[] for i in range(3)])\n",
        ),
    ),
)
