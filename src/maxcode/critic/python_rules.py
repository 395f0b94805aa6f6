"""Rules of the rule-based critic for Python programs, which read their text loop by loop.

The rules are ordered by expected gain: work that grows too fast, then input and output, then small costs of the
interpreter in every turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from maxcode.core import Diagnosis, Outcome


def loops_of(text: str) -> list[str]:
    """The text of each loop with its header: the lines that are indented deeper than it."""
    lines, found = text.splitlines(), []
    for start, line in enumerate(lines):
        if not re.match(r"\s*(?:for|while)\b.*:", line):
            continue
        depth = len(line) - len(line.lstrip())
        end = start + 1
        while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > depth):
            end += 1
        found.append("\n".join(lines[start:end]))
    return found


def _body(loop: str) -> str:
    head, _, rest = loop.partition("\n")
    return rest or head.partition(":")[2]


def _seen(what: str, evidence: str, advice: str, *tags: str) -> Diagnosis:
    return Diagnosis(kind="bottleneck", what=what, evidence=evidence.strip()[:120], advice=advice, tags=tags)


def _membership(text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    del outcome
    lists = set(re.findall(r"^[ \t]*(\w+) = (?:\[|list\(|sorted\(|[^\n]*\.split\(\)$)", text, re.MULTILINE))
    for test in re.finditer(r"(\bfor [\w, ]+|\S+) (?:not )?in (\w+)\b(?![.(\[])", "\n".join(_outer(loops_of(text)))):
        if test[2] in lists and not test[1].startswith("for "):
            advice = "Look elements up in a set."
            yield _seen("Each look-up walks through a list", test[0], advice, "membership-in-list")
            return


def _outer(loops: list[str]) -> list[str]:
    """Loops that are not inside another one, so that no line is read twice."""
    found: list[str] = []
    for loop in loops:
        if not found or loop not in found[-1]:
            found.append(loop)
    return found


def _front(text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    del outcome
    found = re.search(r"\w+\.(?:pop\(0\)|insert\(0,)", text)
    if found:
        yield _seen("Work at the front of a list moves all of it", found[0], "Use a deque.", "list-front")


def _divisors(text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    del outcome
    found = re.search(r"for (\w+) in range\(2, (\w+)\b[^\n]*\):\s+if \2 % \1 == 0", text)
    if found and "sqrt" not in found[0]:
        evidence = found[0].splitlines()[0]
        yield _seen("Divisors are tried far beyond the root", evidence, "Stop at the square root.", "trial-division")


def _recursion(text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    del outcome
    for found in re.finditer(r"^([ \t]*)def (\w+)\([^\n]*\n((?:\1[ \t]+[^\n]*\n|\s*\n)+)", text, re.MULTILINE):
        decorated = text[: found.start()].rstrip().rpartition("\n")[2].lstrip().startswith("@")
        if len(re.findall(rf"\b{found[2]}\(", found[3])) > 1 and not decorated:
            evidence = f"{found[2]} calls itself more than once"
            yield _seen("Recursion may solve the same part again", evidence, "Remember results.", "recursion")
            return


def _repeated_work(text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    del outcome
    bodies = "\n".join(map(_body, _outer(loops_of(text))))
    if found := re.search(r"\bsum\(\w+\[[^\]\n]*:[^\]\n]*\]\)", bodies):
        yield _seen("Slices are summed again and again", found[0], "Keep running sums.", "repeated-sum")
    if found := re.search(r"\b(?:max|min|sum|len)\(\w+\)", bodies):
        yield _seen("A loop asks for the same value each time", found[0], "Ask once before it.", "invariant-call")
    if found := re.search(r"[\w)\]] ?\*\* ?[\w(][^\n%]*?(?<!\d)% ?\w+|\bpow\([^(),]+, [^(),]+\) ?%", text):
        yield _seen("A huge number is made for its remainder", found[0], "Use pow(a, b, m).", "big-numbers", "pow")
    flag = re.search(r"if [^\n]+:\n\s+\w+ = (?:True|False)\n(?!\s+(?:break|return))", bodies + "\n")
    if flag:
        evidence = flag[0].splitlines()[0]
        yield _seen("A search goes on after the answer is known", evidence, "Leave the loop.", "flag-loop")
    if found := re.search(r"for (\w+) in range\([^\n]*\):\s+\w+\[\1\] = (?:True|False|None|\d+)\b", text):
        evidence = found[0].splitlines()[0]
        yield _seen("Elements are set one by one", evidence, "Assign a slice.", "fill-loop")


def _input_output(text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    del outcome
    loops = loops_of(text)
    reads = re.search(r"\binput\(\)", text) and not re.search(r"\binput\s*=", text)
    repeated = any("input()" in loop for loop in loops) or re.search(r"input\(\)[^\n]* for ", text)
    by_line = re.search(r"for \w+ in (?:sys\.)?stdin:", text)
    if (reads and repeated) or by_line:
        evidence = by_line[0] if by_line else "input() in a loop"
        yield _seen("Input is read line by line", evidence, "Read all of it at once.", "slow-input")
    if any(re.search(r"\bprint\(", _body(loop)) for loop in loops):
        yield _seen("Each line is printed on its own", "print in a loop", "Collect and write once.", "slow-output")


def _text_and_counts(text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    del outcome
    bodies = "\n".join(map(_body, _outer(loops_of(text))))
    texts = re.findall(r"^[ \t]*(\w+) = (?:''|\"\")$", text, re.MULTILINE)
    grown = next((name for name in texts if re.search(rf"\b{name} (?:\+= |= {name} \+ )", bodies)), None)
    if grown:
        advice = "Collect pieces and join them, or let a regular expression or split() find them."
        yield _seen("A text grows piece by piece", f"{grown} in a loop", advice, "string-building", "character-loop")
    found = re.search(
        r"if (\w+) (?:not )?in (\w+)(?:\.keys\(\))?:\s+\2\[\1\]|(\w+)\[(\w+)\] = \3\.get\(\4, 0\) \+ 1", bodies
    )
    if found:
        evidence = found[0].splitlines()[0]
        yield _seen("Elements are counted one by one", evidence, "Use get() or a Counter.", "counting")


SMALL_COSTS = (
    ("global-loop", r"(?m)^(?:for|while)\b", "loops outside of functions"),
    ("row-lookup", r"(?m)^[ \t]+[^\n#]*\b\w+\[[^\]\n]+\]\[", "a[i][j] in a loop"),
    ("index-loop", r"\bfor \w+ in range\(len\(\w+\)\)", "indices instead of elements"),
    ("while-counting", r"while (\w+) <=? [^\n]+:\n(?:[ \t]+[^\n]*\n)*?[ \t]+\1 (?:\+= |= \1 \+ )1", "while counts"),
    ("append-loop", r"(?m)^[ \t]+\w+\.append\(", "append in a loop"),
    ("accumulation", r"(?m)^[ \t]+(\w+) (?:\+= |= \1 \+ )", "sums added one by one"),
    ("attribute-lookup", r"(?m)^[ \t]+[^\n#]*\b\w+\.\w+\(", "methods looked up each time"),
    ("lambda-call", r"\b(?:map|filter)\(lambda|key=lambda", "lambda for each element"),
    ("sorting", r"key=lambda (\w+): \(?\1\[", "a sort by a lambda"),
    ("pow", r"\w \*\* 2\b", "** 2"),
)


def _small_costs(text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    """One diagnosis for all small costs of the interpreter together."""
    del outcome
    looped = "\n".join(loop + "\n" for loop in _outer(loops_of(text)))
    found = []
    for tag, pattern, evidence in SMALL_COSTS:
        if re.search(pattern, text if tag in ("lambda-call", "sorting") else looped):
            found.append((tag, evidence))
    one_line = re.findall(r"def (\w+)\([^\n]*\):\s+return\b", text)
    if any(re.search(rf"\b{name}\(", looped) for name in one_line):
        found.append(("call-in-loop", "a one-line function called in a loop"))
    if found:
        evidence = ", ".join(words for _, words in found)
        advice = "Let built-in functions and comprehensions do the loop, and look things up once before it."
        yield _seen("The interpreter is busy with small steps", evidence, advice, *(tag for tag, _ in found))


PYTHON_RULES = (
    _membership,
    _front,
    _divisors,
    _recursion,
    _repeated_work,
    _text_and_counts,
    _input_output,
    _small_costs,
)
