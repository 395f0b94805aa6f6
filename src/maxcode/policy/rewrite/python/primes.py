"""Python: prime tests from a sieve that grows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import LOOPS, body_of, statements
from maxcode.policy.rewrite.python.imports import after_imports, heading
from maxcode.policy.rewrite.source import SourceFile, field
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

_SIEVE = """NAME = bytearray(4)


def has_divisor(number):
    global NAME
    if number >= len(NAME):
        size = 2 * number + 1000
        NAME = bytearray(size)
        for i in range(2, int(size ** 0.5) + 2):
            if not NAME[i]:
                NAME[i * i::i] = b"\\1" * len(range(i * i, size, i))
    return NAME[number]
"""
_ASKS = frozenset("int range sqrt math.sqrt math.isqrt isqrt math.floor math.ceil isinstance".split())


def _sieve(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """A sieve for the arguments from 4 to ten million: below 4, programs differ in what they take for a prime."""
    del setting
    for function in source.find("function_definition"):
        number = _tested_number(source, function)
        if number is None or function.parent is None or function.parent.type != "module" or _taken(source):
            continue
        first = body_of(function)[0]
        test = f"if 4 <= {number} < 10_000_000:\n{source.indent(first)}    return not has_divisor({number})\n"
        sieve = _SIEVE.replace("NAME", source.fresh("composite")).splitlines()
        at = after_imports(source)
        table = heading(source, at, *(["", ""] if source.data[:at].strip() else []), *sieve)
        yield Rewrite(source.line(function), (table, source.before(first, test + source.indent(first))))


def _taken(source: SourceFile) -> bool:
    return "has_divisor" in source.names


def _tested_number(source: SourceFile, function: Node) -> str | None:
    """The parameter of a prime test by trial division: False at the first divisor found, True at the end."""
    given, body = statements(field(function, "parameters")), body_of(function)
    loops = list(source.find(*LOOPS, within=function))
    if len(given) != 1 or given[0].type not in ("identifier", "typed_parameter") or len(loops) != 1 or not body:
        return None
    number = source.text(next(source.find("identifier", within=given[0])))
    divides = re.search(
        rf"if\s*\(?\s*(?:not {number} % \w+|{number} % \w+ == 0)\b.*?:\s*return False", _flat(source, loops[0])
    )
    calls = {source.text(field(call, "function")) for call in source.find("call", within=field(function, "body"))}
    answers = {source.text(each) for each in source.find("return_statement", within=function)}
    known = all(
        re.fullmatch(rf"return (?:True|False|\(?{number} [<>=!]+ \d\)?|{number} in .*)", each) for each in answers
    )
    unchanged = not re.search(rf"\b{number}\s*(?:[-+*/%]|//)?=(?!=)", source.text(field(function, "body")))
    at_end = source.text(body[-1]) == "return True"
    return number if divides and known and unchanged and at_end and calls <= _ASKS else None


def _flat(source: SourceFile, node: Node) -> str:
    return re.sub(r"\s+", " ", source.text(node))


TRANSFORMATIONS = (
    Transformation(
        name="sieve-for-trial-division",
        family="python",
        summary="Answers from a sieve where a function tests numbers for being prime by dividing them.",
        find=_sieve,
        example=RewriteExample(
            before="""
def prime(n):
    if n < 2:
        return False
    for d in range(2, int(n ** 0.5) + 1):
        if n % d == 0:
            return False
    return True


print([n for n in range(50) if prime(n)])
""",
            after="""
composite = bytearray(4)


def has_divisor(number):
    global composite
    if number >= len(composite):
        size = 2 * number + 1000
        composite = bytearray(size)
        for i in range(2, int(size ** 0.5) + 2):
            if not composite[i]:
                composite[i * i::i] = b"\\1" * len(range(i * i, size, i))
    return composite[number]


def prime(n):
    if 4 <= n < 10_000_000:
        return not has_divisor(n)
    if n < 2:
        return False
    for d in range(2, int(n ** 0.5) + 1):
        if n % d == 0:
            return False
    return True


print([n for n in range(50) if prime(n)])
""",
        ),
        languages=PYTHON,
        prior=2.0,
        refusals=(
            "def f(n):\n    for d in range(2, 4):\n        if n % d == 0:\n            return True\n    return False\n",
            "def f(n):\n    for d in range(2, n):\n        if n % d == 0:\n            return False\n    return d\n",
        ),
    ),
)
