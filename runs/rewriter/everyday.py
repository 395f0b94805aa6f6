"""What the rewriter can make of everyday programs: rewrites combined greedily, judged by cost and by equal output.

python runs/rewriter/everyday.py tests/data/programs [NAME ...] [--only TRANSFORMATION ...] [--chain] [--output FILE]

Each folder has slow.*, gen.py SEED SIZE and meta.json with its sizes. Compiled programs are judged by instructions
(cachegrind, at a part of the full size), so that a busy machine does not matter; Python programs by the least of five
processor times. Every rewrite must give the same output as the original on all test sizes.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from maxcode.core import Language
from maxcode.policy.rewrite.actions import BY_NAME, rewrites
from maxcode.policy.rewrite.analysis.macros import plain
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.transformation import Setting

LANGUAGES = {".c": Language.C, ".cpp": Language.CPP, ".py": Language.PYTHON}
COMPILERS = {Language.C: ("gcc", "-std=gnu11", ".c"), Language.CPP: ("g++", "-std=c++17", ".cpp")}
PYTHON = [os.path.realpath(sys.executable), "-I", "-S"]
PART = 0.3
"""Share of the full size at which instructions are counted."""
GAIN = 1.01
"""Least factor that is taken for a gain."""
PLACES = 2
"""Rewrites tried of each transformation, the likeliest first."""


@dataclass(frozen=True)
class Everyday:
    """One program, the inputs it is tested on with the right outputs, and the input it is judged by."""

    name: str
    source: SourceFile
    inputs: tuple[bytes, ...]
    outputs: tuple[bytes, ...]
    timed: bytes


def loaded(folder: Path, version: str = "slow") -> Everyday:
    path = next(folder.glob(f"{version}.*"))
    meta = json.loads((folder / "meta.json").read_text())
    full = meta["size"] if path.suffix == ".py" else max(2, int(meta["size"] * PART))
    made = [_made(folder, seed, size) for seed in (1, 2) for size in (*meta["test_sizes"], full)]
    source = SourceFile(path.read_text(), LANGUAGES[path.suffix])
    with tempfile.TemporaryDirectory() as room:
        outputs = tuple(_run(_command(source, Path(room)) or [], each) or b"" for each in made)
    return Everyday(folder.name, source, tuple(made), outputs, made[len(meta["test_sizes"])])


def _made(folder: Path, seed: int, size: int) -> bytes:
    command = [*PYTHON, str(folder / "gen.py"), str(seed), str(size)]
    return subprocess.run(command, capture_output=True, check=True).stdout


def _command(source: SourceFile, room: Path) -> list[str] | None:
    """The command that runs a program; None where it does not compile."""
    if source.language is Language.PYTHON:
        (room / "program.py").write_text(source.code)
        return [*PYTHON, str(room / "program.py")]
    compiler, standard, suffix = COMPILERS[source.language]
    (room / f"program{suffix}").write_text(source.code)
    flags = [standard, "-O3", "-march=x86-64-v3", "-w", f"program{suffix}", "-o", "program", "-lm"]
    built = subprocess.run([compiler, *flags], cwd=room, capture_output=True, check=False)
    return [str(room / "program")] if built.returncode == 0 else None


def _run(command: list[str], data: bytes) -> bytes | None:
    try:
        done = subprocess.run(command, input=data, capture_output=True, check=False, timeout=20)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else None


def cost(program: Everyday, source: SourceFile) -> float | str:
    """Instructions, or seconds for Python; the reason where the program does not work."""
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        command = _command(source, room)
        if command is None:
            return "does not compile"
        if any(_run(command, data) != out for data, out in zip(program.inputs, program.outputs, strict=True)):
            return "wrong"
        if source.language is Language.PYTHON:
            return min(_seconds(command, program.timed) for _ in range(5))
        return _instructions(command, program.timed, room)


def _seconds(command: list[str], data: bytes) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _run(command, data)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _instructions(command: list[str], data: bytes, room: Path) -> float:
    tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={room}/counts", *command]
    text = subprocess.run(tool, input=data, capture_output=True, check=True).stderr.decode()
    found = re.search(r"I\s+refs:\s+([\d,]+)", text)
    return float(found[1].replace(",", "")) if found else math.inf


def offers(source: SourceFile, name: str) -> list[SourceFile]:
    """Programs that one transformation makes of another, the likeliest first."""
    source = plain(source)
    found = sorted(rewrites(source, Setting(), name), key=lambda rewrite: -rewrite.weight)
    return [apply(source, rewrite.edits) for rewrite in found[:PLACES]]


def candidates(only: frozenset[str]) -> list[str]:
    """Transformations that are judged well by their instructions: compiler hints and threads are not."""
    found = [name for name, each in BY_NAME.items() if each.family not in ("torch", "compiler", "threads")]
    return [name for name in found if not only or name in only]


def climbed(program: Everyday, only: frozenset[str]) -> tuple[float, list[str], list[str]]:
    """The ratio that combining gains reaches, what was combined, and what went wrong."""
    start = cost(program, program.source)
    assert isinstance(start, float), start
    gains, faults = dict[str, float](), list[str]()
    margin = 1.04 if program.source.language is Language.PYTHON else GAIN
    for name in candidates(only):
        for changed in offers(program.source, name):
            judged = cost(program, changed)
            if isinstance(judged, str):
                faults.append(f"{name} {judged}")
            elif start / judged > max(margin, gains.get(name, 0)):
                gains[name] = start / judged
    best, source, taken = start, program.source, list[str]()
    waiting = sorted(gains, key=lambda name: -gains[name])
    for name in [each for each in waiting for _ in range(3)]:
        if taken and name != taken[-1] and name in taken:
            continue
        for changed in offers(source, name):
            judged = cost(program, changed)
            if not isinstance(judged, str) and best / judged > margin:
                best, source, taken = judged, changed, [*taken, name]
                break
    print(f"   {program.name}: " + ", ".join(f"{name} {gains[name]:.2f}" for name in waiting), flush=True)
    return start / best, taken, faults


def chained(program: Everyday, names: list[str]) -> tuple[float, list[str], list[str]]:
    """The same for one chain: each transformation once where it is offered, judged at the end alone."""
    source, taken = program.source, list[str]()
    for name in names:
        found = offers(source, name)
        if found and found[0].code != source.code:
            source, taken = found[0], [*taken, name]
    start, judged = cost(program, program.source), cost(program, source)
    assert isinstance(start, float), start
    return (1.0, taken, [judged]) if isinstance(judged, str) else (start / judged, taken, [])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--only", nargs="*", default=(), help="transformations to try; all if none is named")
    parser.add_argument("--chain", action="store_true", help="try one chain: those of --only, in that order")
    parser.add_argument("--output", type=Path, help="where to write the ratios as JSON")
    given = parser.parse_args()
    folders = [path.parent for path in sorted(given.folder.glob("*/meta.json"))]
    ratios: dict[str, float] = {}
    for folder in folders:
        if given.names and folder.name not in given.names:
            continue
        program = loaded(folder)
        ratio, taken, faults = chained(program, given.only) if given.chain else climbed(program, frozenset(given.only))
        ratios[folder.name] = round(ratio, 3)
        print(f"{folder.name:20} {ratio:6.2f}  {' + '.join(taken)}  {'; '.join(faults)}", flush=True)
        if given.output:
            given.output.write_text(json.dumps(ratios, indent=1))
    mean = math.exp(sum(map(math.log, ratios.values())) / max(len(ratios), 1))
    print(f"{'geometric mean':20} {mean:6.2f}  at least 1.1: {sum(r >= 1.1 for r in ratios.values())} of {len(ratios)}")


if __name__ == "__main__":
    main()
