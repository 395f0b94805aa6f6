"""Source of TSVC_2, cut in two: one pass of a loop, which candidates may change, and all that goes around it.

Between passes data changes by the seed, so that no pass can be left out, and now and then all of it is put back, so
that no pass drifts away into infinities.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent

from maxcode.bench.suites.making.files import closing
from maxcode.bench.suites.making.problem import Refused

HARNESS = (Path(__file__).parent / "harness.h").read_text()
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_FUNCTION = re.compile(r"^[A-Za-z_][\w \t*]*?\b(\w+)\s*\([^;{}]*\)\s*\{", re.MULTILINE)
_LOOP = re.compile(r"\breal_t\s+\w+\s*\(\s*struct\s+args_t\s*\*\s*\w+\s*\)\s*\{$")
_START = re.compile(r"\binitialise_arrays\s*\([^)]*\)\s*;")
_CLOCK = re.compile(r"\bgettimeofday\s*\([^;]*;")
_DECLARATION = re.compile(r"(?:const\s+|unsigned\s+)?(?:struct|int|real_t|float|double|long)\b")


@dataclass(frozen=True)
class Function:
    name: str
    head: str
    body: str
    """Text between the braces of the function."""

    @property
    def is_loop(self) -> bool:
        return bool(_LOOP.search(self.head))

    @property
    def text(self) -> str:
        return f"{self.head}{self.body}}}\n"


@dataclass(frozen=True)
class TsvcSource:
    """src/tsvc.c in its parts, without comments."""

    preamble: str
    functions: dict[str, Function]

    @property
    def arrays(self) -> list[str]:
        """The arrays of real_t that are defined in it."""
        defining = [each for each in self.preamble.split(";") if re.search(r"\breal_t\b[^()]*\[", each)]
        return [name for each in defining for name in re.findall(r"\b(\w+)\s*\[", each)]


@dataclass(frozen=True)
class TsvcParts:
    """A function of the suite, taken apart."""

    before: str
    """What comes ahead of the repeated loop, less the clock and the making of data."""
    after_start: str
    """The part of it that sees the data."""
    body: str
    result: str


def parse(text: str) -> TsvcSource:
    text = _COMMENT.sub("", text)
    functions: dict[str, Function] = {}
    first, at = None, 0
    while found := _FUNCTION.search(text, at):
        first = found.start() if first is None else first
        at = closing(text, found.end() - 1, "{}") + 1
        functions[found[1]] = Function(found[1], found[0], text[found.end() : at - 1])
    return TsvcSource(text[:first], functions)


def split(source: TsvcSource, name: str) -> tuple[str, str]:
    """The file with one pass of the loop, and the file with all that goes around it."""
    function = source.functions[name]
    parts = take_apart(function.body)
    used = [each for each in source.arrays if re.search(rf"\b{each}\b", parts.before + parts.after_start + parts.body)]
    if not used:
        raise Refused("it works on none of the arrays, so that its result is always the same")
    return _kernel(source, function, parts), _main(source, function, parts, used)


def take_apart(body: str) -> TsvcParts:
    unknown = Refused("has no initialise_arrays(...), loop that ends in dummy(...) and return as we know them")
    start, repeated = _START.search(body), _repeated(body)
    if not start or not repeated or repeated[0] < start.end():
        raise unknown
    opened, closed = repeated[1], repeated[2]
    block = body[opened + 1 : closed]
    call = block.rindex("dummy")
    end = closing(block, block.index("(", call), "()")
    returned = re.search(r"\breturn\b\s*(.*?);", body[closed:], re.DOTALL)
    if block[end + 1 :].strip() != ";" or not returned:
        raise unknown
    passed = _last_argument(block[block.index("(", call) + 1 : end])
    return TsvcParts(
        before=_CLOCK.sub("", body[: start.start()]),
        after_start=_CLOCK.sub("", body[start.end() : repeated[0]]),
        body=block[:call],
        result=passed if "calc_checksum" in returned[1] else returned[1],
    )


def _repeated(body: str) -> tuple[int, int, int] | None:
    """Positions of the loop with dummy(...) in it, and of its two braces."""
    for found in re.finditer(r"\bfor\s*\(", body):
        header = closing(body, found.end() - 1, "()")
        if not body[header + 1 :].lstrip().startswith("{"):
            continue
        opened = body.index("{", header)
        closed = closing(body, opened, "{}")
        if re.search(r"\bdummy\s*\(", body[opened:closed]):
            return found.start(), opened, closed
    return None


def _last_argument(arguments: str) -> str:
    depth, start = 0, 0
    for at, char in enumerate(arguments):
        depth += (char in "([{") - (char in ")]}")
        start = at + 1 if char == "," and depth == 0 else start
    return arguments[start:].strip()


def statements(text: str) -> list[str]:
    """Statements at the outermost level of a function."""
    found, start, depth = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        block_ends = char == "}" and not _DECLARATION.match(text[start:].lstrip())
        if depth == 0 and (char == ";" or block_ends):
            found.append(text[start : at + 1].strip())
            start = at + 1
    return [each for each in found if each not in ("", ";")]


def _kernel(source: TsvcSource, function: Function, parts: TsvcParts) -> str:
    """File with one pass of the loop. Of the code that the suite runs once, it has the declarations only."""
    once = [each for each in statements(parts.before + parts.after_start) if _DECLARATION.match(each)]
    helpers = "\n".join(each.text for each in _helpers(source, parts.body, set()))
    inside = "\n".join([*once, dedent(parts.body.strip("\n")).strip(), f"return {parts.result};"])
    directives = "\n".join(re.findall(r"^[ \t]*#[ \t]*(?:include|define).*$", source.preamble, re.MULTILINE))
    return f"{directives}\n\n{helpers}\n{function.head}\n{indent(inside, '    ')}\n}}\n"


def _helpers(source: TsvcSource, text: str, known: set[str]) -> list[Function]:
    """Functions that the text calls, directly or not; each comes after those that it calls."""
    found: list[Function] = []
    for each in source.functions.values():
        if each.name in known or each.is_loop or not re.search(rf"\b{each.name}\s*\(", text):
            continue
        known.add(each.name)
        found += [*_helpers(source, each.body, known), each]
    return found


def _main(source: TsvcSource, function: Function, parts: TsvcParts, used: list[str]) -> str:
    main = source.functions.get("main")
    made = re.search(r"\binit\s*\([^;]*;", main.body) if main else None
    if main is None or made is None:
        raise Refused("there is no main that calls init(...)")
    arrays = ", ".join(f"{{.now = (real_t *){each}, .count = sizeof({each}) / sizeof(real_t)}}" for each in used)
    head = function.head.rstrip("{ \n")
    prepare = head.replace(f"{function.name}", "maxcode_prepare", 1).replace("real_t", "static void", 1)
    return f"""{source.preamble}
{HARNESS}
{head};

{prepare}
{{{parts.before}
    initialise_arrays("{function.name}");
{parts.after_start}
}}

{main.head}{main.body[: made.end()]}
    struct args_t maxcode_given = {{.arg_info = {_given(main, function.name)}}};
    struct maxcode_array maxcode_arrays[] = {{{arrays}}};
    maxcode_read();
    maxcode_prepare(&maxcode_given);
    return maxcode_run(&{function.name}, &maxcode_given, maxcode_arrays, {len(used)});
}}
"""


def _given(main: Function, name: str) -> str:
    """Argument that the suite's main passes to the function."""
    found = re.search(rf"\btime_function\s*(\()\s*&?\s*{name}\s*,", main.body)
    if not found:
        raise Refused("main does not call it with time_function(...)")
    return main.body[found.end() : closing(main.body, found.start(1), "()")].strip()
