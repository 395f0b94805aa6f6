"""Profile of a bench command by function of the repository, made in the sandbox by our own means.

Python processes profile themselves, and compiled ones are sampled. The time of a library or a built-in function counts
for the function of the repository that called it.
"""

from __future__ import annotations

import json
import posixpath
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from maxcode.core import Candidate, EvaluatorError, Fact
from maxcode.evaluate.native.compiled import sampler
from maxcode.evaluate.sandbox.running import Ended
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.evaluate.sandbox.view import BOX, Caps, View
from maxcode.kinds.command.copies import REPOSITORY, RepositoryCopies
from maxcode.kinds.command.environment import commands_environment, commands_view
from maxcode.kinds.command.run import FIRST_SEED, bench_words, command_caps
from maxcode.task.model import Task

OUT, PROFILER, SAMPLER = f"{BOX}/out", f"{BOX}/profiler", f"{BOX}/sampler.so"
HERE = Path(__file__).parent
ENOUGH_SAMPLES, LONGEST = 400, 3.0
"""Samples, and seconds, after which no further run is made; many kernels take 100 samples a second."""
MOST_FUNCTIONS, LEAST_SHARE = 15, 0.005
LARGEST_REPORT = 32 << 20
DEBUGGABLE = {"CFLAGS": "-g", "CXXFLAGS": "-g"}
"""Variables that make most build tools add debugging tables; without these, functions are found by their names."""
SLOWDOWN = 10.0


@dataclass(frozen=True)
class ProfiledFunction:
    """A function of the repository."""

    file: str | None
    line: int | None
    function: str


Shares = dict[ProfiledFunction, float]


def profile_command(
    task: Task, candidate: Candidate, copies: RepositoryCopies, sandbox: Sandbox, cpus: tuple[int, ...]
) -> tuple[Fact, ...]:
    tree = copies.candidate(task, candidate, incremental=False, environment=DEBUGGABLE)
    bench = _Bench(task, sandbox, cpus, tree)
    source, shares = "cProfile", bench.python_functions()
    if not shares:
        source, shares = "sampling", bench.compiled_functions()
    worth = [(place, share) for place, share in shares.items() if share >= LEAST_SHARE][:MOST_FUNCTIONS]
    return tuple(_fact(place, share, source) for place, share in worth)


def _fact(place: ProfiledFunction, share: float, source: str) -> Fact:
    words = f"{share:.0%} of the time in {place.function[:160]}"
    return Fact(kind="hot_function", text=words, source=source, file=place.file, line=place.line, value=share)


class _Bench:
    def __init__(self, task: Task, sandbox: Sandbox, cpus: tuple[int, ...], tree: Path) -> None:
        self._task, self._sandbox, self._cpus, self._tree = task, sandbox, cpus, tree

    def python_functions(self) -> Shares:
        times: dict[ProfiledFunction, float] = {}
        total = 1e-9
        with self._folder() as out:
            self._run(
                out,
                {PROFILER: HERE / "python_profiler"},
                {"PYTHONPATH": PROFILER, "MAXCODE_PROFILE": OUT, "MAXCODE_REPOSITORY": REPOSITORY},
            )
            for text in _reports(out, "*.json"):
                report = json.loads(text)
                total += float(report["seconds"])
                for file, line, function, seconds in report["functions"]:
                    place = ProfiledFunction(_inside(str(file)), int(line), str(function))
                    times[place] = times.get(place, 0.0) + float(seconds)
        own = [(place, min(t / total, 1.0)) for place, t in times.items() if place.file is not None]
        return dict(sorted(own, key=lambda each: -each[1]))

    def compiled_functions(self) -> Shares:
        stacks: list[list[str]] = []
        until = time.monotonic() + LONGEST
        while len(stacks) < ENOUGH_SAMPLES and time.monotonic() < until:
            with self._folder() as out:
                self._run(out, {SAMPLER: sampler()}, {"LD_PRELOAD": SAMPLER, "MAXCODE_SAMPLES": OUT})
                stacks += [line.split() for text in _reports(out, "*") for line in text.splitlines() if line.strip()]
        return self._by_function(stacks) if stacks else {}

    def _by_function(self, stacks: list[list[str]]) -> Shares:
        known = self._resolve({frame for stack in stacks for frame in stack})
        places = [place for stack in stacks if (place := _innermost(stack, known)) is not None]
        first: dict[tuple[str | None, str], ProfiledFunction] = {}
        for place in sorted(places, key=lambda each: each.line or 0):
            first.setdefault((place.file, place.function), place)
        times = Counter(first[place.file, place.function] for place in places)
        return {self._located(place): count / len(stacks) for place, count in times.most_common()}

    def _located(self, place: ProfiledFunction) -> ProfiledFunction:
        """The place, with the file that defines a function of that name where debugging tables do not say it."""
        if place.file is not None:
            return place
        name = re.sub(r"<.*>", "", place.function.split("(")[0]).split("::")[-1].split()[-1:] or [""]
        pattern = re.compile(rf"^[\w:<>&*,\s]*\b({re.escape(name[0])})\s*\([^;{{]*\{{", re.MULTILINE)
        for file, text in self._task.baseline_candidate.files.items():
            found = pattern.search(text)
            if found:
                return replace(place, file=file, line=text.count("\n", 0, found.start(1)) + 1)
        return place

    def _resolve(self, frames: set[str]) -> dict[str, list[ProfiledFunction]]:
        """Functions at addresses of the repository's own programs, inlined ones first."""
        by_object: dict[str, list[str]] = {}
        for frame in frames:
            name, _, address = frame.rpartition("+")
            program = posixpath.normpath(posixpath.join(REPOSITORY, name))
            if program.startswith(f"{REPOSITORY}/") and re.fullmatch(r"[0-9a-f]{1,16}", address):
                by_object.setdefault(name, []).append(address)
        found: dict[str, list[ProfiledFunction]] = {}
        for name, addresses in by_object.items():
            text = self._addr2line(name, addresses)
            for address, places in _read_addr2line(text):
                found[f"{name}+{address}"] = places
        return found

    def _addr2line(self, program: str, addresses: list[str]) -> str:
        with tempfile.NamedTemporaryFile("w", prefix="maxcode-profile-") as file:
            file.write("\n".join(addresses) + "\n")
            file.flush()
            view = self._view({})
            words = ["/bin/sh", "-c", f'cd {REPOSITORY} && exec addr2line -a -f -i -C -e "$0"', program]
            caps = self._caps(seconds=60, extra_mb=1024)
            environment = commands_environment(self._task)
            ended = self._sandbox.run(words, view, caps, stdin=Path(file.name), environment=environment)
        return ended.stdout.decode(errors="replace")

    def _run(self, out: Path, files: dict[str, Path], environment: dict[str, str]) -> Ended:
        limits = self._task.limits
        caps = self._caps(seconds=limits.seconds * SLOWDOWN, extra_mb=512)
        view = replace(self._view(files), write={OUT: out})
        merged = {**commands_environment(self._task), **environment}
        ended = self._sandbox.run(bench_words(self._task, FIRST_SEED), view, caps, environment=merged)
        if not ended.clean:
            raise EvaluatorError(f"the bench fails when it is profiled: {ended.stderr.decode(errors='replace')[-500:]}")
        return ended

    def _caps(self, *, seconds: float, extra_mb: int) -> Caps:
        caps = command_caps(self._task, self._sandbox, self._cpus, seconds=seconds)
        return replace(caps, memory_mb=caps.memory_mb + extra_mb)

    def _view(self, files: dict[str, Path]) -> View:
        view = commands_view(self._task)
        return replace(view, read={**view.read, REPOSITORY: self._tree, **files}, proc=True)

    def _folder(self) -> _Folder:
        return _Folder(self._sandbox)


class _Folder:
    """A folder that programs of a sandbox may write to."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="maxcode-profile-")
        sandbox.give(Path(self._folder.name))

    def __enter__(self) -> Path:
        return Path(self._folder.name)

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()


def _reports(folder: Path, pattern: str) -> Iterator[str]:
    for path in sorted(folder.glob(pattern)):
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST_REPORT:
            yield path.read_text(errors="replace")


def _innermost(stack: list[str], known: dict[str, list[ProfiledFunction]]) -> ProfiledFunction | None:
    """Function of the repository that is nearest to where the time was spent."""
    places = [place for frame in stack for place in known.get(frame, [])]
    own = [place for place in places if not place.function.startswith(("std::", "__gnu"))]
    return next((place for place in own if place.file is not None), own[0] if own else None)


def _read_addr2line(text: str) -> Iterator[tuple[str, list[ProfiledFunction]]]:
    address, places, lines = "", list[ProfiledFunction](), text.splitlines()
    i = 0
    while i < len(lines):
        if lines[i].startswith("0x"):
            if address:
                yield address, places
            address, places = f"{int(lines[i], 16):x}", []
            i += 1
            continue
        file, _, line = (lines[i + 1] if i + 1 < len(lines) else "??:0").partition(" ")[0].rpartition(":")
        inside = _inside(file)
        if lines[i] != "??":
            places.append(ProfiledFunction(inside, int(line) if inside and line.isdigit() else None, lines[i]))
        i += 2
    if address:
        yield address, places


def _inside(path: str) -> str | None:
    """The path relative to the repository; None for files from elsewhere."""
    if path.startswith(("<", "??")):  # made by Python itself; not known to addr2line
        return None
    whole = posixpath.normpath(posixpath.join(REPOSITORY, path))
    return whole.removeprefix(f"{REPOSITORY}/") if whole.startswith(f"{REPOSITORY}/") else None
