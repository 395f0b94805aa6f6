"""A finalist under NVIDIA's compute-sanitizer: reads and writes out of bounds, and races in shared memory, in words.

A check of quality, not of honesty: whoever would cheat here has passed the comparison before. It runs apart from the
harness, on the smallest sizes, because kernels take tens of times as long under it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, Literal

from maxcode.evaluate.gpu import gpus
from maxcode.evaluate.pytorch.confine import Confinement
from maxcode.evaluate.pytorch.nursery import child_environment
from maxcode.evaluate.pytorch.proof import kernel_names

Tool = Literal["memcheck", "racecheck"]
GRACE_SECONDS = 30.0
MOST_SHOWN = 600
MOST_READ = 1 << 20
USUAL_PLACES = ("/usr/local/cuda/bin", "/opt/cuda/bin")
OPTIONS: dict[Tool, tuple[str, ...]] = {
    "memcheck": ("--report-api-errors", "no"),  # torch asks for things that may fail, and goes on
    "racecheck": ("--racecheck-report", "analysis"),
}


@dataclass(frozen=True)
class Unavailable:
    """Why nothing could be found out."""

    reason: str


Found = str | None | Unavailable
"""The first error in words; None where there is none."""


def compute_sanitizer() -> str | None:
    """Where the tool is."""
    folders = [os.environ[name] + "/bin" for name in ("CUDA_HOME", "CUDA_PATH") if name in os.environ]
    places = [shutil.which("compute-sanitizer"), *(f"{each}/compute-sanitizer" for each in (*folders, *USUAL_PLACES))]
    return next((each for each in places if each and os.access(each, os.X_OK)), None)


def sanitize(
    text: str, model: str, problem_text: str, builds: Path, seconds: float, confinement: Confinement | None = None
) -> Found:
    """Two calls of the model on the problem's inputs, under memcheck and, where time is left, racecheck.

    `builds` holds the extensions that were built for the text. The confinement is a candidate's; without one, only the
    environment is kept from it.
    """
    tool = compute_sanitizer()
    if tool is None:
        return Unavailable("compute-sanitizer is not installed; it comes with the CUDA toolkit")
    if not gpus():
        return Unavailable("there is no GPU here")
    began = time.monotonic()
    program = {"text": text, "model": model, "problem": problem_text, "builds": str(builds)}
    found = _under("memcheck", tool, program, seconds, confinement, ())
    left = seconds - (time.monotonic() - began)
    kernels = kernel_names(text) if "__shared__" in text else ()
    if found is None and kernels and left > seconds / 2:
        races = _under("racecheck", tool, program, left, confinement, kernels)
        return races if isinstance(races, str) else None
    return found


def _under(
    kind: Tool,
    tool: str,
    program: dict[str, str],
    seconds: float,
    confinement: Confinement | None,
    kernels: tuple[str, ...],
) -> Found:
    named = [word for name in kernels for word in ("--kernel-name", f"kns={name}")]
    job = {
        "command": [tool, "--tool", kind, "--print-limit", "5", *OPTIONS[kind], *named],
        "program": program,
        "seconds": seconds,
        "confinement": asdict(replace(confinement, library="", memory_mb=None)) if confinement else None,
    }
    with tempfile.TemporaryFile() as output:
        try:
            done = subprocess.run(
                [sys.executable, "-m", "maxcode.evaluate.pytorch.sanitizer_process"],
                input=json.dumps(job).encode(),
                stdout=output,
                stderr=subprocess.STDOUT,
                env=_environment(),
                timeout=seconds + GRACE_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Unavailable(f"{kind} took longer than {seconds:g} s")
        said = _said(output)
    if done.returncode == 124:
        return Unavailable(f"{kind} took longer than {seconds:g} s")
    return read_report(said)


def _environment() -> dict[str, str]:
    """Without torch's cache of memory: within a block that it holds, nothing is out of bounds."""
    own = {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}
    return child_environment() | own | {"PYTHONPATH": os.pathsep.join(path for path in sys.path[1:] if path)}


def _said(output: IO[bytes]) -> str:
    size = output.seek(0, os.SEEK_END)
    output.seek(0)
    head = output.read(MOST_READ)
    output.seek(max(size - MOST_READ, len(head)))
    return (head + output.read()).decode(errors="replace")


SUMMARY = re.compile(r"^=+ (?:ERROR SUMMARY: (\d+) errors?|RACECHECK SUMMARY: .*\((\d+) errors?)", re.MULTILINE)
ERROR = re.compile(r"^=+ (?:Invalid|Misaligned|Out-of-range|Error: (?:Race|Potential)|Uninitialized|Barrier|Unaligned)")


def read_report(said: str) -> Found:
    """What the tool's output says; without its last line, nothing."""
    summaries = SUMMARY.findall(said)
    if not summaries:
        lines = [line.lstrip("= ") for line in said.splitlines() if line.strip("= ")]
        return Unavailable(f"compute-sanitizer did not finish: {(lines or ['no message'])[-1][:300]}")
    if not any(int(count) for count in summaries[-1] if count):
        return None
    return _first_error(said)


def _first_error(said: str) -> str:
    """The first report: its head, and the lines of it that say where and how far."""
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
