"""Python: the same result with fewer steps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python_code import (
    alone,
    assignment,
    body_of,
    call_of,
    changed,
    looks_like_list,
    made_as,
    mentions,
    plain_arguments,
    pure,
    scope_of,
    with_imports,
)
from maxcode.policy.rewrite.python_names import loops_around
from maxcode.policy.rewrite.python_sweep import is_plain_for, sweeps, tight
from maxcode.policy.rewrite.source import Source, field
from maxcode.policy.rewrite.transformation import PYTHON, Example, Rewrite, Setting, Transformation


def _fill(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop, found in sweeps(source):
        counts = call_of(source, field(loop, "right"), "range")
        inner = found.last.named_children[0] if found.last.named_children else found.last
        left, value = inner.child_by_field_name("left"), inner.child_by_field_name("right")
        if not counts or not plain_arguments(counts) or found.plain is None or inner.type != "assignment":
            continue
        if left is None or value is None or left.type != "subscript" or not _is_constant(source, value, loop):
            continue
        array, indices = field(left, "value"), left.children_by_field_name("subscript")
        variable, name = source.text(field(loop, "left")), source.text(array)
        if [source.text(each) for each in indices] != [variable] or mentions(source, variable, array):
            continue
        if made_as(source, name, loop, _looks_keyed) or not pure(source, array):
            continue
        new = _slice(source, counts)
        if new is not None:
            flat = made_as(source, name, loop, lambda text: text.startswith("bytearray("))
            piece = f"bytes([{source.text(value)}])" if flat else f"[{source.text(value)}]"
            yield Rewrite(
                source.line(loop), (source.replace(loop, f"{name}[{new[0]}] = {piece} * {new[1]}"),), weight=2
            )


def _slice(source: Source, counts: list[Node]) -> tuple[str, str] | None:
    """The slice that a range walks, and how many elements it has."""
    texts = [tight(source, each) for each in counts]
    begin, end, step = (["0", *texts] if len(texts) == 1 else texts) + ["1"] * (len(texts) < 3)
    if begin.startswith("-") or step.startswith("-") or end.startswith("-"):
        return None
    where = f"{'' if begin == '0' else begin}:{end}"
    if step != "1":
        return f"{where}:{step}", f"len(range({', '.join(texts)}))"
    if begin != "0":
        return where, f"({end} - {begin})" if re.fullmatch(r"[\w.]+", begin) else f"({end} - ({begin}))"
    return where, end if re.fullmatch(r"[\w.]+|\w+\([\w.]+\)", end) else f"({end})"


def _is_constant(source: Source, node: Node, loop: Node) -> bool:
    if node.type in ("true", "false", "none", "integer", "float", "string"):
        return True
    return node.type == "identifier" and source.text(node) != source.text(field(loop, "left"))


def _looks_keyed(text: str) -> bool:
    return bool(re.match(r"\{|dict\(|(?:\w+\.)?(?:defaultdict|Counter|OrderedDict)\(", text))


def _break(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop, found in sweeps(source):
        set_to = assignment(source, found.last)
        block = found.last.parent
        branch = block.parent if block is not None else None
        if branch is None or branch.type != "if_statement" or branch.parent != field(loop, "body") or set_to is None:
            continue
        constant = set_to[1].type in ("true", "false", "integer", "string", "none")
        if constant and pure(source, loop) and alone(source, found.last):
            yield Rewrite(source.line(loop), (source.after(found.last, f"\n{source.indent(found.last)}break"),))


def _to_root(source: Source, setting: Setting) -> Iterator[Rewrite]:
    """A number that has a divisor has one up to its square root."""
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


def _prefix(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for call in source.find("call"):
        arguments = call_of(source, call, "sum")
        part = arguments[0] if arguments and len(arguments) == 1 else None
        around = loops_around(source, call)
        if part is None or part.type != "subscript" or not around or field(part, "value").type != "identifier":
            continue
        name, limits = source.text(field(part, "value")), _limits(source, part)
        steady = [each for each in around if name not in changed(source, each)]
        if limits is None or not steady or not made_as(source, name, call, looks_like_list):
            continue
        sums = source.fresh(f"{name}_sums")
        low, high = limits
        value = f"({sums}[{high or f'len({name})'}]" + (f" - {sums}[{low}])" if low else ")")
        binding = source.before(
            steady[-1], f"{sums} = list(accumulate({name}, initial=0))\n{source.indent(steady[-1])}"
        )
        edits = with_imports(source, (binding, source.replace(call, value)), "from itertools import accumulate")
        if edits is not None:
            yield Rewrite(source.line(call), edits, weight=2.0)


def _limits(source: Source, part: Node) -> tuple[str, str] | None:
    """Low and high end of `a[low:high]`, empty where they are left out; none may count from the end."""
    inner = part.children_by_field_name("subscript")
    if len(inner) != 1 or inner[0].type != "slice":
        return None
    low, _, high = source.text(inner[0]).partition(":")
    plain = [re.fullmatch(r"\s*(?:[\w+\- *()]*\w[\w+\- *()]*)?\s*", each) for each in (low, high)]
    if not all(plain) or low.strip().startswith("-") or high.strip().startswith("-") or not (low + high).strip():
        return None
    return low.strip(), high.strip()


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
    """`a ** b % m` makes a huge number first."""
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
        name="slice-for-fill",
        family="python",
        summary="Sets many elements of a list at once, as in a sieve.",
        find=_fill,
        example=Example(
            before="""
n = 30
prime = [True] * (n + 1)
for i in range(2, n + 1):
    if prime[i]:
        for j in range(i * i, n + 1, i):
            prime[j] = False
print([i for i in range(2, n + 1) if prime[i]])
""",
            after="""
n = 30
prime = [True] * (n + 1)
for i in range(2, n + 1):
    if prime[i]:
        prime[i * i:n + 1:i] = [False] * len(range(i * i, n + 1, i))
print([i for i in range(2, n + 1) if prime[i]])
""",
        ),
        languages=PYTHON,
        answers=("fill-loop",),
        prior=2.5,
        refusals=(
            "a = {}\nfor i in range(3):\n    a[i] = 0\nprint(a)\n",
            "a = [0] * 3\nfor i in range(3):\n    a[i] = i\nprint(a)\n",
        ),
    ),
    Transformation(
        name="break-after-flag",
        family="python",
        summary="Leaves a search loop once the answer is known.",
        find=_break,
        example=Example(
            before="""
n = 91
prime = True
for i in range(2, n):
    if n % i == 0:
        prime = False
print(prime)
""",
            after="""
n = 91
prime = True
for i in range(2, n):
    if n % i == 0:
        prime = False
        break
print(prime)
""",
        ),
        languages=PYTHON,
        answers=("flag-loop",),
        prior=2.0,
        refusals=(
            "n = 9\nlast = 0\nfor i in range(2, n):\n    if n % i == 0:\n        last = i\nprint(last)\n",
            "found = False\nfor i in range(3):\n    if input() == 'x':\n        found = True\nprint(found)\n",
        ),
    ),
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
        name="prefix-sums",
        family="python",
        summary="Computes the sums of many slices of one list from its running sums.",
        find=_prefix,
        example=Example(
            before="""
values = [3, 1, 4, 1, 5, 9, 2, 6]
best = 0
for i in range(len(values) - 2):
    best = max(best, sum(values[i:i + 3]))
print(best)
""",
            after="""
from itertools import accumulate

values = [3, 1, 4, 1, 5, 9, 2, 6]
best = 0
values_sums = list(accumulate(values, initial=0))
for i in range(len(values) - 2):
    best = max(best, (values_sums[i + 3] - values_sums[i]))
print(best)
""",
        ),
        languages=PYTHON,
        answers=("repeated-sum",),
        prior=2.5,
        refusals=(
            "a = [1, 2]\nfor i in range(2):\n    a[0] += sum(a[i:])\nprint(a)\n",
            "a = [1, 2]\nfor i in range(2):\n    print(sum(a[-i:]))\n",
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
        prior=0.8,
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
