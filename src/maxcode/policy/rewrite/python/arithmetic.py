"""Python: arithmetic that takes fewer steps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import body_of, call_of, mentions, plain_arguments, scope_of
from maxcode.policy.rewrite.python.effects import changed
from maxcode.policy.rewrite.python.imports import with_imports
from maxcode.policy.rewrite.python.names import loops_around
from maxcode.policy.rewrite.python.sweep import is_plain_for
from maxcode.policy.rewrite.source import Source, field
from maxcode.policy.rewrite.transformation import PYTHON, Example, Rewrite, Setting, Transformation


def _to_root(source: Source, setting: Setting) -> Iterator[Rewrite]:
    """Ends the search for divisors at the square root: a number that has a divisor has one up to there."""
    del setting
    for loop in source.find("for_statement"):
        counts = call_of(source, field(loop, "right"), "range")
        if not counts or len(counts) != 2 or source.text(counts[0]) != "2" or not is_plain_for(source, loop):
            continue
        number, variable = _divided(source, loop), source.text(field(loop, "left"))
        limit = re.sub(r"\s", "", source.text(counts[1]))
        known = [number, f"{number}//2+1", f"int({number}/2)+1", f"({number}//2)+1", f"{number}-1"]
        if number is None or limit not in known or number in changed(source, loop):
            continue
        if mentions(source, variable, scope_of(loop)) != mentions(source, variable, loop):
            continue
        edits = with_imports(source, (source.replace(counts[1], f"math.isqrt({number}) + 1"),), "import math")
        if edits is not None:
            yield Rewrite(source.line(loop), edits, weight=2.0)


def _divided(source: Source, loop: Node) -> str | None:
    """The number whose divisors a loop looks for, to leave at the first."""
    inner = body_of(loop)
    branch = inner[0] if len(inner) == 1 and inner[0].type == "if_statement" else None
    if branch is None or branch.child_by_field_name("alternative") is not None:
        return None
    test = re.fullmatch(
        rf"(\w+)\s*%\s*{source.text(field(loop, 'left'))}\s*==\s*0", source.text(field(branch, "condition"))
    )
    last = body_of(branch)[-1]
    leaves = last.type == "break_statement" or source.text(last) in (
        "return False",
        "return True",
        "return 0",
        "return 1",
    )
    return (
        test[1]
        if test and leaves and not mentions(source, source.text(field(loop, "left")), field(branch, "consequence"))
        else None
    )


def _square(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    places = []
    for node in source.find("binary_operator"):
        base, power = field(node, "left"), field(node, "right")
        if source.text(field(node, "operator")) == "**" and base.type == "identifier" and source.text(power) == "2":
            places.append((node, source.text(base)))
    edits = tuple(
        source.replace(node, f"({name} * {name})" if _binds_tighter(source, node) else f"{name} * {name}")
        for node, name in places
    )
    if edits and any(loops_around(source, node) for node, _ in places):
        yield Rewrite(source.line(places[0][0]), edits)


def _binds_tighter(source: Source, node: Node) -> bool:
    """Whether what stands to the left of a power would take its first factor away."""
    above = node.parent
    if above is None or above.type != "binary_operator" or field(above, "right") != node:
        return False
    return source.text(field(above, "operator")) in ("*", "/", "//", "%", "@")


def _modular(source: Source, setting: Setting) -> Iterator[Rewrite]:
    """Replaces `a ** b % m`, which computes a huge number first, by `pow(a, b, m)`."""
    del setting
    for node in source.find("binary_operator"):
        left = field(node, "left")
        while left.type == "parenthesized_expression" and len(left.named_children) == 1:
            left = left.named_children[0]
        power = _power(source, left) if source.text(field(node, "operator")) == "%" else None
        if power is None or re.fullmatch(r"[0-3]|-.*|.*/.*|.*\..*", power[1]) or re.search(r"\d\.\d|^-", power[0]):
            continue
        yield Rewrite(
            source.line(node),
            (source.replace(node, f"pow({power[0]}, {power[1]}, {source.text(field(node, 'right'))})"),),
        )


def _power(source: Source, node: Node) -> tuple[str, str] | None:
    """Base and exponent of `a ** b` and `pow(a, b)`."""
    if node.type == "binary_operator" and source.text(field(node, "operator")) == "**":
        return source.text(field(node, "left")), source.text(field(node, "right"))
    arguments = call_of(source, node, "pow")
    if not arguments or len(arguments) != 2 or not plain_arguments(arguments):
        return None
    return source.text(arguments[0]), source.text(arguments[1])


TRANSFORMATIONS = (
    Transformation(
        name="divisors-to-root",
        family="python",
        summary="Looks for a divisor up to the square root only.",
        find=_to_root,
        example=Example(
            before="""
def is_prime(n):
    if n < 2:
        return False
    for i in range(2, n):
        if n % i == 0:
            return False
    return True


print([n for n in range(30) if is_prime(n)])
""",
            after="""
import math


def is_prime(n):
    if n < 2:
        return False
    for i in range(2, math.isqrt(n) + 1):
        if n % i == 0:
            return False
    return True


print([n for n in range(30) if is_prime(n)])
""",
        ),
        languages=PYTHON,
        answers=("trial-division",),
        prior=3.0,
        refusals=(
            "def f(n, c):\n    for i in range(2, n):\n        if n % i == 0:\n            c += 1\n    return c\n",
            "def f(n):\n    for i in range(2, n):\n        if n % i == 0:\n            return i\n    return n\n",
        ),
    ),
    Transformation(
        name="product-for-square",
        family="python",
        summary="Multiplies instead of raising to the second power.",
        find=_square,
        example=Example(
            before="total = 0\nfor x in range(10):\n    total += x ** 2\nprint(total)\n",
            after="total = 0\nfor x in range(10):\n    total += x * x\nprint(total)\n",
        ),
        languages=PYTHON,
        answers=("pow",),
        prior=1.5,
        refusals=("x = 3\nprint(x ** 2)\n", "for x in range(3):\n    print(x ** 3, 2 ** x)\n"),
    ),
    Transformation(
        name="modular-power",
        family="python",
        summary="Takes the remainder while raising to a power, so that no huge number is made.",
        find=_modular,
        example=Example(
            before="a, b, m = 7, 1000, 1000003\nprint(a ** b % m)\n",
            after="a, b, m = 7, 1000, 1000003\nprint(pow(a, b, m))\n",
        ),
        languages=PYTHON,
        answers=("pow", "big-numbers"),
        prior=2.5,
        refusals=("x = 5\nprint(x ** 2 % 3)\n", "x = 5\nprint(x ** 0.5 % 3)\n"),
    ),
)
