"""Runs programs under cachegrind and reads its table of instructions and cache misses by source line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from maxcode.evaluate.profile.valgrind import TOOL, cachegrind_tool
from maxcode.evaluate.sandbox.view import BOX, Caps, View
from maxcode.evaluate.toolchain import toolchain, tools_view

SLOWDOWN = 60.0
"""Largest slowdown under valgrind; time limits are multiplied by it."""
TABLES_MB = 64
"""Megabytes that cachegrind may write, for a large program such as Python."""


def cachegrind_command(command: list[str], *, caches: bool, output: str, log: str) -> list[str]:
    simulate = "yes" if caches else "no"
    options = [f"--cache-sim={simulate}", "--vgdb=no", f"--log-file={log}", f"--cachegrind-out-file={output}"]
    return [TOOL, "--tool=cachegrind", *options, *command]


def valgrind_view(files: dict[str, Path], write: dict[str, Path] | None = None) -> View:
    view = tools_view(toolchain())
    return replace(view, read={**view.read, **files, TOOL: cachegrind_tool()}, write=write or {}, proc=True)


def valgrind_caps(caps: Caps) -> Caps:
    """Limits for a run under valgrind, which is slow and needs memory of its own."""
    return replace(
        caps,
        seconds=caps.seconds * SLOWDOWN,
        memory_mb=caps.memory_mb * 2 + 512,
        output_mb=max(caps.output_mb, TABLES_MB),
        bound_address_space=False,
    )


@dataclass(frozen=True)
class LineCounts:
    file: str
    line: int
    instructions: int
    misses: int
    """Data accesses that missed the last-level cache in the simulation."""


@dataclass(frozen=True)
class CachegrindCounts:
    """Counts of cachegrind, largest first."""

    lines: list[LineCounts]
    """Source lines of the program's own files."""
    functions: list[tuple[str, int]]
    """Instructions by function, libraries included."""

    @property
    def instructions(self) -> int:
        return sum(count for _, count in self.functions)


def read_cachegrind(text: str) -> CachegrindCounts:
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
    return CachegrindCounts(sorted(own, key=lambda c: -c.instructions), sorted(functions.items(), key=lambda f: -f[1]))
