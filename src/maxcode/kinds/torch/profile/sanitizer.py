"""Runs a finalist under NVIDIA's compute-sanitizer: accesses out of bounds, and races in shared memory.

A check of quality, not of honesty: a candidate that cheats here has passed the comparison before. It runs apart from
the harness, because kernels take tens of times as long under it.
"""

from __future__ import annotations

import re
import time
from dataclasses import replace
from typing import Literal

from maxcode.evaluate.gpu import gpus
from maxcode.kinds.torch.harness.proof import kernel_names
from maxcode.kinds.torch.problem.problem import elements
from maxcode.kinds.torch.profile.nvidia_tool import Unavailable, Watched, cuda_tool, under

Tool = Literal["memcheck", "racecheck"]
MOST_SHOWN = 600
OPTIONS: dict[Tool, tuple[str, ...]] = {
    # torch asks for things that may fail, and goes on. Without padding, what lies behind the end of one tensor is often
    # the next one, and reading it no error.
    "memcheck": ("--report-api-errors", "no", "--padding", "512"),
    "racecheck": ("--racecheck-report", "analysis"),
}
Found = str | None | Unavailable
"""Description of the first error; None where there is none; Unavailable where the tool could not tell."""


def sanitize(watched: Watched, seconds: float) -> Found:
    """Runs memcheck at all sizes, or at the smallest where that takes too long.

    Kernels with shared memory then run at the smallest size under racecheck, which takes longer still, if enough time
    is left.
    """
    tool = cuda_tool("compute-sanitizer")
    if tool is None:
        return Unavailable("compute-sanitizer is not installed; it comes with the CUDA toolkit")
    if not gpus():
        return Unavailable("there is no GPU here")
    smallest = replace(watched, problems=(min(watched.problems, key=elements),))
    began = time.monotonic()
    found = _under("memcheck", tool, watched, seconds, ())
    if isinstance(found, Unavailable) and smallest != watched:
        began = time.monotonic()
        found = _under("memcheck", tool, smallest, seconds, ())
    left = seconds - (time.monotonic() - began)
    kernels = kernel_names(watched.text) if "__shared__" in watched.text else ()
    if found is None and kernels and left > seconds / 2:
        races = _under("racecheck", tool, smallest, left, kernels)
        return races if isinstance(races, str) else None
    return found


def _under(kind: Tool, tool: str, watched: Watched, seconds: float, kernels: tuple[str, ...]) -> Found:
    named = [word for name in kernels for word in ("--kernel-name", f"kns={name}")]
    command = [tool, "--tool", kind, "--print-limit", "5", *OPTIONS[kind], *named]
    # Without torch's cache of memory: within a block that it holds, nothing is out of bounds.
    said = under(command, watched, seconds, PYTORCH_NO_CUDA_MEMORY_CACHING="1")
    return said if isinstance(said, Unavailable) else read_report(said)


SUMMARY = re.compile(r"^=+ (?:ERROR SUMMARY: (\d+) errors?|RACECHECK SUMMARY: .*\((\d+) errors?)", re.MULTILINE)
ERROR = re.compile(r"^=+ (?:Invalid|Misaligned|Out-of-range|Error: (?:Race|Potential)|Uninitialized|Barrier|Unaligned)")


def read_report(said: str) -> Found:
    """First error in the tool's output. Unavailable without the tool's last line, which sums up."""
    summaries = SUMMARY.findall(said)
    if not summaries:
        lines = [line.lstrip("= ") for line in said.splitlines() if line.strip("= ")]
        return Unavailable(f"compute-sanitizer did not finish: {(lines or ['no message'])[-1][:300]}")
    if not any(int(count) for count in summaries[-1] if count):
        return None
    return _first_error(said)


def _first_error(said: str) -> str:
    """First report of the tool: its head, and the lines that say where and how far."""
    lines = said.splitlines()
    start = next((at for at, line in enumerate(lines) if ERROR.match(line)), None)
    if start is None:
        return "compute-sanitizer reports errors"
    told = [lines[start].lstrip("= ").strip()]
    for line in lines[start + 1 :]:
        words = line.lstrip("= ").strip()
        if not line.startswith("=") or not words or words.startswith(("Saved host", "Host Frame", "Device Frame")):
            break
        told.append(words)
    return "; ".join(told)[:MOST_SHOWN]
