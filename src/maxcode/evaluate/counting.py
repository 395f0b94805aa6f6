"""Deterministic counts under valgrind: instructions, and instructions and cache misses by source line."""

from __future__ import annotations

import platform
import re
import shutil
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from maxcode.core import EvaluatorError
from maxcode.evaluate.build import Built
from maxcode.evaluate.cases import Case, Programs
from maxcode.evaluate.failure import failure_of
from maxcode.evaluate.pairs import check_output
from maxcode.evaluate.sandbox import BOX, Caps, View
from maxcode.evaluate.toolchain import toolchain, tools_view
from maxcode.task.model import Task

SLOWDOWN = 60.0
"""Valgrind's, at worst; time limits are stretched by it."""


@cache
def _cachegrind() -> tuple[str, str]:
    """The launcher, and the tool it would start: started directly, so that no program needs to be let start another."""
    launcher = shutil.which("valgrind")
    if launcher is None:
        raise EvaluatorError("valgrind is not installed; it counts instructions. E.g. apt-get install valgrind.")
    tool = valgrind_tool("cachegrind")
    if tool is None:
        raise EvaluatorError("valgrind's cachegrind tool is not installed. E.g. apt-get install --reinstall valgrind.")
    return launcher, str(tool)


@cache
def valgrind_tool(name: str) -> Path | None:
    """One of valgrind's tools, for programs of this machine."""
    for folder in ("/usr/libexec/valgrind", "/usr/lib/valgrind", "/usr/lib/x86_64-linux-gnu/valgrind"):
        tools = sorted(Path(folder).glob(f"{name}-*-linux"))
        native = [tool for tool in tools if platform.machine() in ("x86_64", "amd64") and "amd64" in tool.name] or tools
        if native:
            return native[0]
    return None


def cachegrind_command(command: list[str], *, caches: bool, output: str = "/dev/null") -> list[str]:
    simulate = "yes" if caches else "no"
    options = [f"--cache-sim={simulate}", "--vgdb=no", "--log-fd=2", f"--cachegrind-out-file={output}"]
    return [_cachegrind()[1], "--tool=cachegrind", *options, *command]


def valgrind_environment() -> dict[str, str]:
    launcher, tool = _cachegrind()
    return {"VALGRIND_LAUNCHER": launcher, "VALGRIND_LIB": str(Path(tool).parent)}


def valgrind_view(files: dict[str, Path], write: dict[str, Path] | None = None) -> View:
    view = tools_view(toolchain())
    return replace(view, read={**view.read, **files}, write=write or {}, proc=True)


def valgrind_caps(caps: Caps) -> Caps:
    """Valgrind is slow, and needs room of its own."""
    return replace(
        caps,
        seconds=caps.seconds * SLOWDOWN,
        memory_mb=caps.memory_mb * 2 + 512,
        bound_address_space=False,
    )


def count_instructions(task: Task, programs: Programs, built: Built, workloads: list[Case]) -> float:
    """Instructions of one run over all workloads."""
    how = programs.builder.invocation(task.language, built)
    command, view = cachegrind_command(how.command, caches=False), valgrind_view(how.files)
    total = 0
    for case in workloads:
        caps = valgrind_caps(programs.caps(task))
        environment = {**how.environment, **valgrind_environment()}
        ended = programs.sandbox.run(command, view, caps, stdin=case.input, environment=environment)
        failure = failure_of(ended, task.limits, f"{case.name}, counting instructions", hidden=True)
        if failure:
            raise failure
        check_output(task, programs, case, ended.stdout)
        counts = re.findall(rb"I\s+refs:\s+([\d,]+)", ended.stderr)
        if not counts:
            raise EvaluatorError("valgrind reported no instruction count")
        total += int(counts[-1].replace(b",", b""))  # the last one is valgrind's: it writes after the program has ended
    return float(total)


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
