"""TSVC_2, the test suite for vectorising compilers: each of its loops as a task.

A function of the suite repeats its loop many times over the same arrays. What is cut out for candidates is one pass;
the repeating is ours.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from math import log2
from pathlib import Path

from maxcode.bench.suites.making.files import read_text
from maxcode.bench.suites.making.loading import made_side_by_side
from maxcode.bench.suites.making.problem import LoadedSuite, MadeTask, Refused
from maxcode.bench.suites.making.trial import build, readable
from maxcode.bench.suites.suite import LoadReporter
from maxcode.bench.suites.tsvc.source import HARNESS, TsvcSource, parse, split
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
GENERATOR = '"""generate.py SEED PASSES: all that a loop reads."""\n\nimport sys\n\nprint(*sys.argv[1:])\n'
TOLERANCE = 1e-4
"""Elements are floats, and sums of 32000 of them in another order differ by some 1e-5."""
WANTED_SECONDS = 0.04
TEST_PASSES = 64
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
class TsvcLoop:
    """One function of the suite."""

    name: str
    source: TsvcSource
    folder: Path
    digest: str


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
