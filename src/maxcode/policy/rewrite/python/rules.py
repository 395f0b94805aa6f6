"""Python: what the standard library does better, as rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from tree_sitter import Node

from maxcode.policy.rewrite.patterns import Holes, PatternMatch, Rule, matches
from maxcode.policy.rewrite.python.code import LOOPS, looks_like_list, mentions, scope_of
from maxcode.policy.rewrite.python.effects import bound, pure, values_of
from maxcode.policy.rewrite.python.imports import with_imports
from maxcode.policy.rewrite.source import SourceFile, enclosing, field
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


def _list(source: SourceFile, holes: Holes) -> bool:
    """Whether `$x` is a list of this function's own: made here, and known by no other name when it changes."""
    node = holes["x"]
    values = values_of(source, source.text(node), node) if node.type == "identifier" else None
    name = source.text(node)
    made = [source.text(each) for each in values or []]
    others = [text for text in made if not re.match(rf"{re.escape(name)} \+ ", text)]
    return bool(others) and all(looks_like_list(text) for text in others) and not _aliased(source, name, node)


def _aliased(source: SourceFile, name: str, node: Node) -> bool:
    """Whether a list gets a second name or a place in another container."""
    for each in mentions(source, name, scope_of(node)):
        above = each.parent
        if above is None:
            return True
        kept = above.type in ("assignment", "expression_list", "pair", "list", "tuple", "dictionary")
        if kept and above.child_by_field_name("left") != each:
            return True
        if above.type == "argument_list" and re.search(r"\.(?:append|add|insert)$", _called(source, above)):
            return True
    return False


def _called(source: SourceFile, arguments: Node) -> str:
    function = arguments.parent.child_by_field_name("function") if arguments.parent is not None else None
    return source.text(function) if function is not None else ""


def _in_loop(source: SourceFile, holes: Holes) -> bool:
    return _list(source, holes) and enclosing(holes["x"], *LOOPS) is not None


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
_EXTEND = _finder(Rule("$x = $x + $y", "$x += $y", _in_loop))
_SETDEFAULT = _finder(
    Rule("if $k not in $d:\n    $d[$k] = $v\n$d[$k].append($e)", "$d.setdefault($k, $v).append($e)", _same_default),
    Rule("if $k not in $d:\n    $d[$k] = $v\n$d[$k].add($e)", "$d.setdefault($k, $v).add($e)", _same_default),
)
_ISO = _finder(
    Rule('datetime.strptime($t, "%Y-%m-%d %H:%M:%S")', "datetime.fromisoformat($t)"),
    Rule('datetime.datetime.strptime($t, "%Y-%m-%d %H:%M:%S")', "datetime.datetime.fromisoformat($t)"),
    Rule('datetime.strptime($t, "%Y-%m-%dT%H:%M:%S")', "datetime.fromisoformat($t)"),
    Rule('datetime.strptime($t, "%Y-%m-%d")', "datetime.fromisoformat($t)"),
    Rule('datetime.datetime.strptime($t, "%Y-%m-%d")', "datetime.datetime.fromisoformat($t)"),
)

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
        name="extend-for-sum",
        family="python",
        summary="Extends a list in place where a sum copies all of it each time.",
        find=_EXTEND,
        example=RewriteExample(
            before="found = []\nfor i in range(4):\n    found = found + [i, -i]\nprint(found)\n",
            after="found = []\nfor i in range(4):\n    found += [i, -i]\nprint(found)\n",
        ),
        languages=PYTHON,
        prior=2.0,
        refusals=(
            "a = []\nb = a\nfor i in range(3):\n    a = a + [i]\nprint(b)\n",
            "path = []\nall_paths = []\nfor i in range(3):\n    path = path + [i]\n    all_paths.append(path)\n",
            "total = 0\nfor i in range(3):\n    total = total + i\n",
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
        name="isoformat-for-strptime",
        family="python",
        summary="Reads times in the order of ISO 8601 without interpreting a format.",
        find=_ISO,
        example=RewriteExample(
            before='from datetime import datetime\n\nprint(datetime.strptime("2024-05-06", "%Y-%m-%d").year)\n',
            after='from datetime import datetime\n\nprint(datetime.fromisoformat("2024-05-06").year)\n',
        ),
        languages=PYTHON,
        prior=2.0,
        refusals=('from datetime import datetime\n\nprint(datetime.strptime("06.05.2024", "%d.%m.%Y"))\n',),
    ),
)
