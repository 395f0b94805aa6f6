"""Deterministic counts under valgrind: instructions, and instructions and cache misses by source line."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from maxcode.core import Language, Status
from maxcode.evaluate.build import Built, Invocation
from maxcode.evaluate.cases import Case, Programs
from maxcode.evaluate.counting_log import makes_requests, valgrind_log
from maxcode.evaluate.failure import Failure, failure_of
from maxcode.evaluate.pairs import Pairs, check_output
from maxcode.evaluate.sandbox import BOX, Caps, View
from maxcode.evaluate.toolchain import toolchain, tools_view
from maxcode.evaluate.valgrind import TOOL, cachegrind_tool, valgrind_environment
from maxcode.task.model import Task

SLOWDOWN = 60.0
"""Valgrind's, at worst; time limits are stretched by it."""
TABLES_MB = 64
"""What cachegrind writes for a large program, Python for one."""
DISAGREEMENT = 3.0
"""How many times the ratio of CPU times a ratio of counts may be: instructions differ in what they take."""
SLOWER = 1.1
"""How many times the baseline's CPU time a candidate with fewer instructions may take: noise has no more than that."""
CLOCKED_PAIRS = 5
UNSEEN_SECONDS = 2e-3
"""CPU time that a run may take beside its instructions: loading libraries, faulting pages in. Workloads that are not
longer than that are too short for the clock to refuse anybody."""
LEAST_SECONDS = 2e-4
"""CPU time that the clock tells from none."""


def cachegrind_command(command: list[str], *, caches: bool, output: str, log: str) -> list[str]:
    simulate = "yes" if caches else "no"
    options = [f"--cache-sim={simulate}", "--vgdb=no", f"--log-file={log}", f"--cachegrind-out-file={output}"]
    return [TOOL, "--tool=cachegrind", *options, *command]


def valgrind_view(files: dict[str, Path], write: dict[str, Path] | None = None) -> View:
    view = tools_view(toolchain())
    return replace(view, read={**view.read, **files, TOOL: cachegrind_tool()}, write=write or {}, proc=True)


def valgrind_caps(caps: Caps) -> Caps:
    """Valgrind is slow, and needs room of its own."""
    return replace(
        caps,
        seconds=caps.seconds * SLOWDOWN,
        memory_mb=caps.memory_mb * 2 + 512,
        output_mb=max(caps.output_mb, TABLES_MB),
        bound_address_space=False,
    )


def count_instructions(task: Task, programs: Programs, built: Built, workloads: list[Case]) -> float:
    """Instructions of one run over all workloads."""
    how = programs.builder.invocation(task.language, built)
    if task.language is not Language.PYTHON and makes_requests(how.files[f"{BOX}/program"]):
        raise Failure(Status.REJECTED, "the program has requests to valgrind in it, which may run code uncounted")
    return float(sum(_count(task, programs, how, case) for case in workloads))


def _count(task: Task, programs: Programs, how: Invocation, case: Case) -> int:
    where = f"{case.name}, counting instructions"
    with valgrind_log() as log:
        command = cachegrind_command(how.command, caches=False, output=log.tables, log=log.inside)
        ended = programs.sandbox.run(
            command,
            valgrind_view(how.files, log.write),
            valgrind_caps(programs.caps(task)),
            stdin=case.input,
            environment={**how.environment, **valgrind_environment()},
        )
        failure = failure_of(ended, task.limits, where, hidden=True)
        if failure:
            raise failure
        counted = log.instructions(where, several=task.rules.processes)
    check_output(task, programs, case, ended.stdout)
    return counted


def borne_out(task: Task, programs: Programs, pairs: Pairs, ratio: float) -> float:
    """How many times fewer instructions the candidate needs as far as the clock bears it out: `ratio`, or less.

    A program shares its address space with the valgrind that counts it, and what the kernel does for it is not counted,
    so no count can be trusted alone. The clock is outside. What it takes to start any program, by one of ours, is taken
    off both sides. Failure where the clock contradicts the ratio.
    """
    start = _seconds_to_start(task, programs)
    timed = [pairs.exclusive(candidate_first=bool(number % 2)) for number in range(CLOCKED_PAIRS)]
    before = max(max(b.cpu for b, _ in timed) - start, LEAST_SECONDS)
    after = max(min(c.cpu for _, c in timed) - start, LEAST_SECONDS)
    if after > min(DISAGREEMENT / ratio, SLOWER) * before + UNSEEN_SECONDS:
        raise Failure(
            Status.REJECTED,
            f"counts and the clock disagree: {ratio:.3g}x fewer instructions, but by CPU time at most "
            f"{before / after:.3g}x as fast. Work of the kernel and waiting for memory are not counted; where they are "
            "what takes the time, measure time: objective.metric",
        )
    return min(ratio, max(1.0, DISAGREEMENT * before / after))


def _seconds_to_start(task: Task, programs: Programs) -> float:
    """CPU time of a program that does nothing."""
    python = task.language is Language.PYTHON
    with tempfile.TemporaryDirectory(prefix="maxcode-empty-") as folder:
        source = Path(folder) / ("empty.py" if python else "empty.cpp")
        source.write_text("" if python else "int main() {}\n")
        runs = [programs.run_tool(source, [], {}).cpu for _ in range(CLOCKED_PAIRS)]
    return min(runs)


@dataclass(frozen=True)
class LineCounts:
    file: str
    line: int
    instructions: int
    misses: int
    """Data accesses that missed the last-level cache in the simulation."""


@dataclass(frozen=True)
class Counts:
    """What cachegrind counted, largest first."""

    lines: list[LineCounts]
    """Source lines of the program's own files."""
    functions: list[tuple[str, int]]
    """Instructions by function, libraries included."""

    @property
    def instructions(self) -> int:
        return sum(count for _, count in self.functions)


def read_cachegrind(text: str) -> Counts:
    events: list[str] = []
    file = function = ""
    lines: dict[tuple[str, int], list[int]] = {}
    functions: dict[str, int] = {}
    for line in text.splitlines():
        if line.startswith("events:"):
            events = line.split()[1:]
        elif line.startswith(("fl=", "fi=", "fe=")):
            file = line[3:]
        elif line.startswith("fn="):
            function = line[3:]
        elif line[:1].isdigit():
            number, *values = (int(part) for part in line.split())
            counts = dict(zip(events, values, strict=False))
            functions[function] = functions.get(function, 0) + counts.get("Ir", 0)
            if file.startswith(f"{BOX}/src/"):
                total = lines.setdefault((file.removeprefix(f"{BOX}/src/"), number), [0, 0])
                total[0] += counts.get("Ir", 0)
                total[1] += counts.get("DLmr", 0) + counts.get("DLmw", 0)
    own = [LineCounts(name, number, ir, misses) for (name, number), (ir, misses) in lines.items() if number > 0]
    return Counts(sorted(own, key=lambda c: -c.instructions), sorted(functions.items(), key=lambda f: -f[1]))
