"""Library: trial division by primes alone, and prime tests by a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from string import Template

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import LOOPS, declared, statements, used, written
from maxcode.policy.rewrite.analysis.support import functions, prelude, resolved
from maxcode.policy.rewrite.source import Edit, SourceFile, field
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_LIMITS = (1 << 16, 1 << 20)

_DIVISORS = Template("""
enum { PRIME_LIMIT = $size };

struct PrimeDivisor {
    unsigned value;
    unsigned long long inverse;   // n is a multiple where n * inverse, modulo 2^64,
    unsigned long long greatest;  // is at most this
};

static struct PrimeDivisor prime_divisors[$count];
static unsigned prime_divisor_count;

__attribute__((constructor)) static void find_prime_divisors(void) {
    static char composite[PRIME_LIMIT];
    for (unsigned i = 2; i < PRIME_LIMIT; i++) {
        if (composite[i]) continue;
        unsigned long long inverse = i;
        for (int bits = 3; bits < 64; bits *= 2) inverse *= 2 - i * inverse;
        struct PrimeDivisor prime = {i, inverse, ~0ull / i};
        prime_divisors[prime_divisor_count++] = prime;
        for (unsigned long long j = (unsigned long long)i * i; j < PRIME_LIMIT; j += i) composite[j] = 1;
    }
}

// The next prime from the one at `at` that divides n, or the first whose square is above n. Numbers beyond the table
// are tried one by one.
static inline long long next_divisor(unsigned long long n, unsigned *at) {
    for (; *at < prime_divisor_count; ++*at) {
        const struct PrimeDivisor *p = &prime_divisors[*at];
        int divides = *at == 0 ? n % 2 == 0 : n * p->inverse <= p->greatest;
        if (divides || (unsigned long long)p->value * p->value > n) {
            ++*at;
            return p->value;
        }
    }
    return (long long)PRIME_LIMIT + (*at)++ - prime_divisor_count;
}
""")
_PRIMES_BELOW = {1 << 16: 6542, 1 << 20: 82025}

_TABLE = Template("""
enum { $limit = 1 << 20 };
static char composite[$limit];

__attribute__((constructor)) static void sieve_composites(void) {
    for (int i = 2; i * i < $limit; i++) {
        if (composite[i]) continue;
        for (int j = i * i; j < $limit; j += i) composite[j] = 1;
    }
}
""")


@dataclass(frozen=True)
class TrialDivision:
    """`for (TYPE d = 2; d * d <= n; d++)` whose body does something only where d divides n, and needs prime d only."""

    node: Node
    type: str
    divisor: str
    number: str


def _trials(source: SourceFile) -> Iterator[TrialDivision]:
    for node in source.find("for_statement"):
        parts = [node.child_by_field_name(name) for name in ("initializer", "condition", "update", "body")]
        if any(part is None for part in parts):
            continue
        begin, test, step = (
            re.sub(r"\s+", " ", source.text(part)).strip("; ") for part in parts[:3] if part is not None
        )
        start = re.fullmatch(r"((?:\w+ )+)(\w+) ?= ?2", begin)
        number = _bound(test, start[2]) if start else None
        body = parts[3]
        if start is None or number is None or body is None or step.replace(" ", "") not in _increments(start[2]):
            continue
        if start[2] not in written(source, body) and _only_where_divisible(source, body, start[2], number):
            yield TrialDivision(node, start[1].strip(), start[2], number)


def _bound(test: str, divisor: str) -> str | None:
    """n in `d * d <= n` and what means the same."""
    plain = test.replace(" ", "")
    for pattern in (
        rf"(?:\(longlong\)|\(ll\)|1LL\*|1ll\*)?{divisor}\*{divisor}<=(\w+)",
        rf"{divisor}<=(\w+)/{divisor}",
        rf"{divisor}<=(?:\(int\)|\(longlong\))?(?:std::)?sqrt\((\w+)\)",
    ):
        found = re.fullmatch(pattern, plain)
        if found:
            return found[1]
    return None


def _increments(name: str) -> tuple[str, ...]:
    return f"{name}++", f"++{name}", f"{name}+=1"


def _only_where_divisible(source: SourceFile, body: Node, divisor: str, number: str) -> bool:
    """Whether a body is `while (n % d == 0) { n /= d; ... }`, the same under an if, or an if that ends the search."""
    inner = statements(body)
    if len(inner) != 1 or inner[0].type not in ("while_statement", "if_statement"):
        return False
    guarded = inner[0]
    if not _tests(source, guarded, divisor, number) or guarded.child_by_field_name("alternative") is not None:
        return False
    if guarded.type == "while_statement":
        return _divides_out(source, guarded, divisor, number)
    consequence = field(guarded, "consequence")
    ends = statements(consequence)[-1].type if statements(consequence) else ""
    if ends in ("return_statement", "break_statement"):
        return number not in written(source, consequence)
    return any(
        _tests(source, loop, divisor, number) and _divides_out(source, loop, divisor, number)
        for loop in statements(consequence)
        if loop.type == "while_statement"
    )


def _tests(source: SourceFile, node: Node, divisor: str, number: str) -> bool:
    text = re.sub(r"[\s()]", "", source.text(field(node, "condition")))
    return text in (f"{number}%{divisor}==0", f"!{number}%{divisor}")


def _divides_out(source: SourceFile, loop: Node, divisor: str, number: str) -> bool:
    text = re.sub(r"\s", "", source.text(field(loop, "body")))
    return f"{number}/={divisor};" in text or f"{number}={number}/{divisor};" in text


def _prime_divisors(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for trial in _trials(source):
        walk = _walk(source, trial)
        if walk is None:
            continue
        if "PrimeDivisor" in source.names:
            yield Rewrite(source.line(trial.node), (walk,))
            continue
        for limit in _LIMITS:
            yield Rewrite(source.line(trial.node), (prelude(source, _table(limit)), walk), f"limit={limit}")


def _table(limit: int) -> str:
    return _DIVISORS.substitute(size=f"1 << {limit.bit_length() - 1}", count=_PRIMES_BELOW[limit])


def _walk(source: SourceFile, trial: TrialDivision) -> Edit | None:
    """The loop's header, going from one prime divisor to the next."""
    block = trial.node.parent
    if block is None or block.type != "compound_statement":
        return None
    d, n, at = trial.divisor, trial.number, source.fresh("at")
    wide = "" if resolved(source, trial.type).startswith("long long") else "(long long)"
    step = f"next_divisor({n}, &{at})"
    header = f"for ({trial.type} {d} = {step}; {wide}{d} * {d} <= {n}; {d} = {step}) "
    counter = f"unsigned {at} = 0;\n{source.indent(trial.node)}"
    return Edit(trial.node.start_byte, field(trial.node, "body").start_byte, counter + header)


def _prime_table(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """A table for the small arguments of a function that tells whether its argument is prime."""
    del setting
    for definition in functions(source).values():
        parameter = _tested_number(source, definition)
        if parameter is None or "composite" in source.names:
            continue
        limit = source.fresh("SIEVE_LIMIT")
        body = field(definition, "body")
        indent = source.indent(body.named_children[0]) if body.start_point[0] != body.end_point[0] else "    "
        look = f"\n{indent}if ({parameter} >= 4 && {parameter} < {limit}) return !composite[{parameter}];"
        at = body.start_byte + 1
        yield Rewrite(source.line(definition), (prelude(source, _TABLE.substitute(limit=limit)), Edit(at, at, look)))


def _tested_number(source: SourceFile, definition: Node) -> str | None:
    """The parameter of a prime test by trial division: false at the first divisor, true at the end."""
    head = source.text(definition).split("{")[0]
    parameter = re.search(r"\(\s*(?:const\s+)?[\w ]+?\s+(\w+)\s*\)\s*(?:const\s*)?$", head)
    body = field(definition, "body")
    loops, inner = list(source.find(*LOOPS, within=body)), statements(body)
    if parameter is None or len(loops) != 1 or not inner or parameter[1] in written(source, body):
        return None
    name = parameter[1]
    answers = {re.sub(r"[\s;()]", "", source.text(each)) for each in source.find("return_statement", within=body)}
    divides = rf"if\((?:{name}%\w+==0|!\({name}%\w+\)|0=={name}%\w+)(?:\|\|.*?)?\)\{{?return(?:false|0);"
    found = re.search(divides, re.sub(r"\s", "", source.text(loops[0])))
    known = all(re.fullmatch(rf"return(?:true|false|0|1|{name}[<>=!]+\d)", each) for each in answers)
    last = re.sub(r"[\s;()]", "", source.text(inner[-1]))
    at_end = last in ("returntrue", "return1", f"return{name}>1", f"return{name}!=1", f"return{name}>=2")
    return name if found and known and at_end and used(source, body) <= {name, *_own(source, body)} else None


def _own(source: SourceFile, body: Node) -> set[str]:
    """Names that a prime test may use beside its number: its own variables, and square roots."""
    return {*declared(source, body), "sqrt", "sqrtl", "std", "false", "true"}


_FACTORS = """
#include <stdio.h>

int main(void) {
    for (long long k = 1; k < 50; k++) {
        long long number = k * 7919 * 104729;
        for (long long divisor = 2; divisor * divisor <= number; divisor++) {
            while (number % divisor == 0) {
                printf("%lld ", divisor);
                number /= divisor;
            }
        }
        printf("%lld\\n", number);
    }
    return 0;
}
"""
_TEST = """
#include <stdio.h>

int is_prime(int n) {
    if (n < 2) return 0;
    for (int d = 2; d * d <= n; d++) {
        if (n % d == 0) return 0;
    }
    return 1;
}

int main(void) {
    int count = 0;
    for (int i = 0; i < 10000; i++) count += is_prime(i);
    printf("%d\\n", count);
    return 0;
}
"""
_COUNTS = """
#include <stdio.h>
int main(void) {
    int n = 360, count = 0;
    for (int d = 2; d * d <= n; d++) {
        if (n % d == 0) count++;
    }
    printf("%d", count);
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="prime-divisors",
        family="library",
        summary="Tries primes from a sieve as divisors, and multiplies by inverses instead of dividing.",
        find=_prime_divisors,
        example=RewriteExample(
            before=_FACTORS,
            after=_FACTORS.replace(
                "for (long long divisor = 2; divisor * divisor <= number; divisor++)",
                "unsigned at = 0;\n        for (long long divisor = next_divisor(number, &at); "
                "divisor * divisor <= number; divisor = next_divisor(number, &at))",
            ).replace("stdio.h>\n", "stdio.h>\n" + _table(1 << 16)),
        ),
        answers=("trip-count",),
        prior=2.0,
        refusals=(_COUNTS,),
    ),
    Transformation(
        name="prime-table",
        family="library",
        summary="Answers a prime test from a sieve for small numbers.",
        find=_prime_table,
        example=RewriteExample(
            before=_TEST,
            after=_TEST.replace(
                "{\n    if (n < 2)", "{\n    if (n >= 4 && n < SIEVE_LIMIT) return !composite[n];\n    if (n < 2)"
            ).replace("stdio.h>\n", "stdio.h>\n" + _TABLE.substitute(limit="SIEVE_LIMIT")),
        ),
        prior=1.0,
        refusals=(_COUNTS,),
    ),
)
