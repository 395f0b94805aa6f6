"""TSVC_2, the test suite for vectorising compilers: each of its loops as a task.

A function of the suite repeats its loop many times over the same arrays. What is cut out for candidates is one pass;
the repeating is ours. Between passes data changes by the seed, so that no pass can be left out, and now and then all
of it is put back, so that no pass drifts away into infinities.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from math import log2
from pathlib import Path
from textwrap import dedent, indent

from maxcode.bench.suites.making.files import closing, read_text
from maxcode.bench.suites.making.loading import made_side_by_side
from maxcode.bench.suites.making.problem import LoadedSuite, MadeTask, Refused
from maxcode.bench.suites.making.trial import build, readable
from maxcode.bench.suites.suite import LoadReporter
from maxcode.bench.suites.tsvc.suite import TsvcOptions
from maxcode.core import InputError, content_hash
from maxcode.evaluate.build import Built
from maxcode.evaluate.cases import Programs
from maxcode.evaluate.once import made_once
from maxcode.evaluate.sandbox.running import Ended
from maxcode.evaluate.toolchain import toolchain
from maxcode.system.home import home
from maxcode.task.load import load_task
from maxcode.task.model import Task
from maxcode.task.ordinary import FILE_NAME

VERSION = "1"
SHARED = ("common.c", "common.h", "array_defs.h", "dummy.c")
HARNESS = (Path(__file__).parent / "harness.h").read_text()
GENERATOR = '"""generate.py SEED PASSES: all that a loop reads."""\n\nimport sys\n\nprint(*sys.argv[1:])\n'
TOLERANCE = 1e-4
"""Elements are floats, and sums of 32000 of them in another order differ by some 1e-5."""
WANTED_SECONDS = 0.04
TEST_PASSES = 64
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_FUNCTION = re.compile(r"^[A-Za-z_][\w \t*]*?\b(\w+)\s*\([^;{}]*\)\s*\{", re.MULTILINE)
_LOOP = re.compile(r"\breal_t\s+\w+\s*\(\s*struct\s+args_t\s*\*\s*\w+\s*\)\s*\{$")
_START = re.compile(r"\binitialise_arrays\s*\([^)]*\)\s*;")
_CLOCK = re.compile(r"\bgettimeofday\s*\([^;]*;")
_DECLARATION = re.compile(r"(?:const\s+|unsigned\s+)?(?:struct|int|real_t|float|double|long)\b")
_SETTINGS = """name = "{name}"
kind = "program"
language = "c"
description = "{name} of TSVC_2, one pass of the loop: only it may be changed; arrays are those of array_defs.h."
baseline = ["kernel.c", "main.c", "common.c", "common.h", "array_defs.h", "dummy.c"]
editable = ["kernel.c"]

[build]
flags = ["-O3", "-march=native"]
link = ["-lm"]

[tests]
compare = "numbers"
tolerance = {{relative = {tolerance}}}

[[tests.generated]]
generator = "generate.py"
arguments = ["{test_passes}"]
count = 2

[[workloads]]
name = "{passes}-passes"
generator = "generate.py"
arguments = ["{passes}"]

[limits]
seconds = 60
memory_mb = 1024
"""


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
class TsvcLoop:
    """One function of the suite."""

    name: str
    source: TsvcSource
    folder: Path
    digest: str


@dataclass(frozen=True)
class TsvcParts:
    """A function of the suite, taken apart."""

    before: str
    """What comes ahead of the repeated loop, less the clock and the making of data."""
    after_start: str
    """The part of it that sees the data."""
    body: str
    result: str


def load_tsvc(options: TsvcOptions, reporter: LoadReporter) -> LoadedSuite:
    return made_side_by_side(read_tsvc(options.path), make_tsvc, reporter.progress)


def read_tsvc(path: Path) -> list[TsvcLoop]:
    """Every loop of a checkout, in the order of the file."""
    folder = path / "src" if (path / "src" / "tsvc.c").is_file() else path
    missing = [name for name in ("tsvc.c", *SHARED) if not (folder / name).is_file()]
    if missing:
        raise InputError(f"{path}: has no src/{missing[0]}; give the folder of TSVC_2.")
    source = parse(read_text(folder / "tsvc.c"))
    loops = [function for function in source.functions.values() if function.is_loop]
    if not loops:
        raise InputError(f"{folder / 'tsvc.c'}: has no function real_t NAME(struct args_t * func_args).")
    shared = b"".join((folder / name).read_bytes() for name in SHARED)
    rest = f"{source.preamble}{''.join(each.text for each in source.functions.values() if not each.is_loop)}".encode()
    return [
        TsvcLoop(each.name, source, folder, hashlib.sha256(shared + rest + each.text.encode()).hexdigest())
        for each in loops
    ]


def make_tsvc(loop: TsvcLoop, programs: Programs) -> MadeTask:
    """The task of a loop, made now or before."""
    kept = home() / "suites" / content_hash(VERSION, toolchain().id, HARNESS, "tsvc", loop.digest)
    try:
        made_once(kept, lambda folder: _fill(folder / loop.name, loop, programs))
    except (Refused, InputError) as reason:
        return MadeTask(name=loop.name, where=loop.name, problem=str(reason), sha256=loop.digest)
    return MadeTask(name=loop.name, where=loop.name, folder=str(kept / loop.name), tests=2, sha256=loop.digest)


def _fill(folder: Path, loop: TsvcLoop, programs: Programs) -> None:
    folder.mkdir()
    kernel, main = split(loop.source, loop.name)
    (folder / "kernel.c").write_text(kernel)
    (folder / "main.c").write_text(main)
    for name in SHARED:
        shutil.copyfile(loop.folder / name, folder / name)
    (folder / "generate.py").write_text(GENERATOR)
    _write_settings(folder, loop.name, 1)
    task = load_task(folder)
    trial = BuiltProgram(task, build(task, programs), programs)
    trial.check()
    _write_settings(folder, loop.name, passes_for(trial.seconds))


def _write_settings(folder: Path, name: str, passes: int) -> None:
    settings = {"name": name, "passes": passes, "test_passes": min(passes, TEST_PASSES), "tolerance": TOLERANCE}
    (folder / FILE_NAME).write_text(_SETTINGS.format(**settings))
    readable(folder)


@dataclass(frozen=True)
class BuiltProgram:
    """The program as it is, built and ready to run."""

    task: Task
    built: Built
    programs: Programs

    def run(self, seed: int, passes: int) -> Ended:
        given = self.task.folder / "seed.txt"
        given.write_text(f"{seed} {passes}\n")
        given.chmod(0o644)
        ended = self.programs.run(self.task, self.built, given)
        given.unlink()
        if not ended.clean:
            raise Refused(f"the program fails (exit code {ended.exit_code}, signal {ended.signal})")
        return ended

    def seconds(self, passes: int) -> float:
        return self.run(1, passes).cpu

    def check(self) -> None:
        """Checks that the program prints the same for one seed, and that its output shows work; else Refused."""
        first, second, other = (self.run(seed, 1).stdout.splitlines() for seed in (1, 1, 2))
        if first != second or len(first) < 2:
            raise Refused("the program prints nothing, or something else each time")
        result, *arrays = (line.split() for line in first[1:])
        if not any(float(number) for numbers in arrays for number in numbers) and result == other[1].split():
            raise Refused("with its data, it changes no array and gives the same for every seed")


def passes_for(seconds: Callable[[int], float]) -> int:
    """Number of passes that take about WANTED_SECONDS: a power of two, so that similar machines get the same number."""
    alone = seconds(1)
    if alone >= WANTED_SECONDS:
        return 1
    passes, spent = 16, 0.0
    while (spent := seconds(passes) - alone) < WANTED_SECONDS / 4 and passes < 1 << 24:
        passes *= 4
    return max(1, int(2 ** round(log2(passes * WANTED_SECONDS / max(spent, 1e-3)))))


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
