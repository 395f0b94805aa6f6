"""Models of PyTorch: a harness that owns data, clock and verdict, and each candidate in a process of its own."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

from maxcode.core import Candidate, Fact, Measurement, Mode, Status, content_hash
from maxcode.evaluate.build import Built
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.gpu import gpu_reserved, gpus, temperature_and_clocks, torch_version
from maxcode.evaluate.judge import Equipment, Tally, under_sanitizers
from maxcode.evaluate.machine import one_of_few, usable_cpus
from maxcode.evaluate.measure.pairs import Pair, Pairs
from maxcode.evaluate.native.compiled import arena_allocator
from maxcode.evaluate.once import made_once
from maxcode.extension.toolchain import toolchain_without_torch
from maxcode.kinds.torch.device import device_class, device_of
from maxcode.kinds.torch.harness.proof import kernel_names
from maxcode.kinds.torch.problem.problem import with_constants
from maxcode.kinds.torch.processes.process_spawner import compilers_can_be_loaded
from maxcode.kinds.torch.processes.session import HarnessSession, ModelText, memory_limit
from maxcode.kinds.torch.processes.settings import HarnessSettings
from maxcode.kinds.torch.profile.counters import counted
from maxcode.kinds.torch.profile.facts import facts
from maxcode.kinds.torch.profile.nvidia_tool import Unavailable, Watched
from maxcode.kinds.torch.profile.sanitizer import sanitize
from maxcode.kinds.torch.rules import check as rules
from maxcode.kinds.torch.table import Constants, Torch
from maxcode.system.home import cache_folder, write_atomically
from maxcode.task.model import Task

FILE = "candidate.py"
BUILD_SECONDS = 300.0
CPUS_PER_BUILD = 2
"""CPUs for each build that runs at a time. With one build per CPU, all would end at the same time, and the GPU would be
idle until then."""
AHEAD_SHARE = 2.0
"""Multiple of a candidate's time limit that compiling ahead may take: it compiles once for each of several sizes."""
TUNING = "autotune"
TOOLS_SHARE = 5.0
"""Multiple of a candidate's time limit that a run under NVIDIA's tools may take. Kernels take tens of times as long
there, but sizes are small or launches few."""
SECONDS_ON_GPU = {Mode.SEARCH: 0.0, Mode.CONFIRM: 12.0}
"""Least seconds to sample on a GPU. Pairs take a tenth of a second there and differ between processes, so several
processes must be sampled."""
COMPILED_PAIRS = 5
COMPILED_LASTS = 24 * 3600.0
"""Seconds for which the speed of the original under torch.compile is believed."""


class TorchJudge:
    waits = True

    def __init__(self, given: Equipment) -> None:
        self._session = HarnessSession(given.sandboxes, given.cpus, given.slot)
        self._noise_is_known = given.noise_is_known

    def close(self) -> None:
        self._session.close()

    def broken_rule(self, task: Task, candidate: Candidate) -> str | None:
        return rules.broken_rule(task, candidate)

    def build(self, task: Task, candidate: Candidate, mode: Mode) -> Built:  # noqa: ARG002
        text = candidate.files[task.main_file]
        try:
            compile(text, FILE, "exec")
        except SyntaxError as error:
            raise Failure(Status.BUILD_ERROR, f"line {error.lineno}: {error.msg}") from None
        except ValueError as error:  # a NUL byte
            raise Failure(Status.BUILD_ERROR, str(error)) from None
        folder = build_folder(candidate.id)
        cached = made_once(folder, lambda fresh: self._build_into(fresh, task, candidate.id, text))
        return Built(folder, None, cached=cached, key=candidate.id)

    def _build_into(self, folder: Path, task: Task, name: str, text: str) -> None:
        builds = folder / "builds"
        builds.mkdir()
        program = ModelText(name, text, builds, _model_in(task, text))
        if program.has_extensions:
            self._session.open(task, _settings(task))
            with _one_of_few("extension"):
                self._session.build(program, max(BUILD_SECONDS, task.build.seconds))
        if program.compiles and program.model == "ModelNew" and device_of(task) == "cuda":
            self._compile_ahead(task, program)  # not the original: the caller may hold the GPU
        (folder / FILE).write_text(text)

    def _compile_ahead(self, task: Task, program: ModelText) -> None:
        """Fills the caches of a program's compilers, beside others that do so, while nothing is timed.

        A program that times kernels to choose among them gets the GPU alone.
        """
        self._session.open(task, _settings(task))
        compilers_can_be_loaded()  # slow at first, so before others have to wait for us
        sizes, alone = tuple(text for text, _ in problem_texts(task)), TUNING in program.text
        with _one_of_few("compiling"), gpu_reserved("cuda", alone=alone):
            self._session.compile_ahead(program, sizes, AHEAD_SHARE * task.limits.seconds, alone=alone)

    def baseline(self, task: Task) -> Built:
        return self.build(task, task.baseline_candidate, Mode.SEARCH)

    def reserve(self, task: Task) -> None:
        """Reserves the GPU until `release`. Waits for others that use it."""
        self._session.open(task, _settings(task))
        self._session.hold_device()

    def verify(self, task: Task, built: Built, seed: int, tally: Tally, *, timed: bool) -> None:
        self.reserve(task)
        tally.total = int(self._session.ask("total")) + timed
        program = _program(task, built)
        wanted = task.table(Torch).rule == "custom-kernel-required" and program.model == "ModelNew"
        try:
            self._session.start("candidate", program)
            self._session.ask("screen", seed=seed)  # before more is started, which a wrong program does not need
            if timed and self._session.ask("together"):
                self._start_originals(task)
            own = kernel_names(program.text) if wanted else None
            tally.passed = self._session.ask("verify", seed=seed, own_kernels=own)
        except Failure as failure:
            tally.passed = failure.passed
            raise

    def _start_originals(self, task: Task) -> None:
        """Starts processes of the original, to be ready once the candidate is verified; on a GPU that takes a
        second."""
        original = _program(task, self.baseline(task))
        self._session.start("baseline", original)
        if device_of(task) == "cuda" and not self._noise_is_known(task):
            self._session.start("again", original)

    def sanitize(self, task: Task, candidate: Candidate, seed: int) -> bool:  # noqa: ARG002
        """Runs compute-sanitizer at all sizes, since kernels are often written for some of them.

        False where it cannot be run.
        """
        if device_of(task) != "cuda":
            return False
        program = _program(task, self.build(task, candidate, Mode.CONFIRM))
        self.reserve(task)
        sizes = tuple(text for text, _ in problem_texts(task))
        found = sanitize(self._watched(program, *sizes), TOOLS_SHARE * task.limits.seconds)
        if isinstance(found, str):
            raise under_sanitizers(Failure(Status.CRASHED, found))
        return not isinstance(found, Unavailable)

    def _watched(self, program: ModelText, *problems: str) -> Watched:
        confinement = self._session.confinement("candidate", program)
        return Watched(program.text, program.model, problems, program.builds, confinement)

    def pairs(self, task: Task, baseline: Built, candidate: Built, seed: int, mode: Mode) -> Pairs:  # noqa: ARG002
        self.reserve(task)
        other = "again" if baseline.key == candidate.key else "candidate"
        programs = _program(task, baseline), _program(task, candidate)
        if other == "again" and not self._session.ask("together"):
            self._session.end("candidate")  # it is started again when it is timed
        return _TorchPairs(self._session, *programs, other, LIVES[device_of(task), mode])

    def count(self, task: Task, candidate: Candidate, seed: int) -> None:
        """Returns None: models are timed."""

    def least_seconds(self, task: Task, mode: Mode) -> float:
        return SECONDS_ON_GPU[mode] if device_of(task) == "cuda" else 0.0

    def threads(self, task: Task) -> int:
        """Number of threads for the choice of clock.

        It is 2 on a GPU, so that the wall clock counts: the work is not in the process.
        """
        return 2 if device_of(task) == "cuda" else task.limits.cpus

    def annotate(self, task: Task, found: Measurement, mode: Mode) -> Measurement:
        wanted = mode is Mode.CONFIRM and _wants_compiled(task)
        compiled = self._speedup_of_compiled(task) if wanted else None
        notes = [f"weights {task.table(Torch).weights}"]
        change: dict[str, Any] = {"speedup_compiled": found.speedup / compiled if compiled else None}
        if device_of(task) == "cuda":
            state = temperature_and_clocks()
            notes += [f"{gpus()[0]}, torch {torch_version()}", f"clocks, temperature, power after: {state}"]
        change["note"] = "; ".join(notes)
        return found.model_copy(update=change)

    def profile(self, task: Task, candidate: Candidate, seed: int) -> tuple[Fact, ...]:  # noqa: ARG002
        built = self.build(task, candidate, Mode.SEARCH)
        self.reserve(task)
        program = _program(task, built)
        self._session.start("candidate", program)
        traced = self._session.ask("trace")
        self._session.end("candidate")  # the next one is not to find the GPU's memory taken
        longest = next((str(each["name"]) for each in traced["events"]), None)
        return (*facts(traced, program.builds, device_of(task)), *self._counted(task, program, longest))

    def _counted(self, task: Task, program: ModelText, kernel: str | None) -> tuple[Fact, ...]:
        """Counters of a program's longest kernel, kept by content: a start under the tool takes seconds."""
        if device_of(task) != "cuda":
            return ()
        file = (
            cache_folder("counters") / f"{content_hash(task.hash, device_class(task), program.text, str(kernel))}.json"
        )
        if not file.exists():
            text, _ = next(problem_texts(task))
            found = counted(self._watched(program, text), TOOLS_SHARE * task.limits.seconds, kernel)
            if isinstance(found, Unavailable):
                return ()
            write_atomically(file, json.dumps([each.model_dump(mode="json") for each in found]).encode())
        return tuple(Fact.model_validate(each) for each in json.loads(file.read_text()))

    def release(self) -> None:
        self._session.dismiss()

    def _speedup_of_compiled(self, task: Task) -> float | None:
        """Speedup of the original under torch.compile, measured once a day; None where it does not work."""
        file = cache_folder("compiled") / f"{content_hash(task.hash, device_class(task))}.json"
        if not file.exists() or time.time() - file.stat().st_mtime > COMPILED_LASTS:
            write_atomically(file, json.dumps(self._time_compiled(task)).encode())
        found = json.loads(file.read_text())
        return None if found is None else float(found)

    def _time_compiled(self, task: Task) -> float | None:
        plain = _program(task, self.baseline(task))
        self._session.hold_device()
        try:
            compiled = replace(plain, compiled=True)
            life = LIVES[device_of(task), Mode.SEARCH]
            with closing(_TorchPairs(self._session, plain, compiled, "candidate", life)) as pairs:
                taken = [pairs.exclusive(i % 2 == 1) for i in range(COMPILED_PAIRS)]
        except Failure:
            return None
        return median(a.wall / b.wall for a, b in taken)


def build_folder(candidate: str) -> Path:
    """Folder of a candidate's builds. Its name depends on the compilers, so that builds by older ones are not found."""
    made_by = (torch_version() or "", str(gpus()), toolchain_without_torch())
    return cache_folder("torch") / content_hash(candidate, *made_by)


@dataclass(frozen=True)
class _Life:
    """Time for which a process is used before another takes its place: the longer of the two."""

    seconds: float
    starts: float
    """Multiple of the time that it took to start."""


LIVES = {
    ("cpu", Mode.SEARCH): _Life(seconds=0.0, starts=1.0),
    ("cpu", Mode.CONFIRM): _Life(seconds=0.0, starts=1.0),
    # A start takes as long as several pairs there, and much longer for a model that is compiled as it runs.
    ("cuda", Mode.SEARCH): _Life(seconds=inf, starts=0.0),
    ("cuda", Mode.CONFIRM): _Life(seconds=2.5, starts=1.5),
}


class _TorchPairs:
    """Pairs of both programs, in processes that are replaced after a while.

    Each process has pages of its own, and runs a little faster or slower for it, so several must be sampled. On a GPU
    that matters less, since its memory belongs to the harness and stays. There a search uses the processes that
    verified.
    """

    def __init__(self, session: HarnessSession, baseline: ModelText, other: ModelText, name: str, life: _Life) -> None:
        self._session, self._other, self._life = session, name, life
        self._programs = {"baseline": baseline, name: other}
        self._used, self._cost = 0.0, -1.0

    def exclusive(self, candidate_first: bool) -> Pair:
        return self._timed("exclusive", candidate_first=candidate_first)

    def duet(self, candidate_first: bool) -> Pair:
        return self._timed("duet", candidate_first=candidate_first)

    def again(self, number: int, candidate_first: bool) -> Pair:  # noqa: ARG002
        return self.exclusive(candidate_first)  # each has inputs of its own

    def close(self) -> None:
        if self._other == "candidate":
            self._session.dismiss()
        else:
            self._session.end(self._other)

    def _timed(self, kind: str, **given: Any) -> Pair:
        if self._cost < 0 or self._used > max(self._life.starts * self._cost, self._life.seconds):
            self._start()
        began = time.monotonic()
        pair: Pair = self._session.ask(kind, other=self._other, **given)
        self._used += time.monotonic() - began
        return pair

    def _start(self) -> None:
        began = time.monotonic()
        for which, program in self._programs.items():
            self._session.start(which, program, fresh=self._cost >= 0)
        self._session.ask(
            "exclusive", other=self._other, candidate_first=False
        )  # the first pair of a process is not like the others
        self._used, self._cost = 0.0, time.monotonic() - began


def _program(task: Task, built: Built) -> ModelText:
    assert built.program is not None
    text = (built.program / FILE).read_text()
    return ModelText(built.key, text, built.program / "builds", _model_in(task, text))


def _model_in(task: Task, text: str) -> str:
    return "Model" if text == task.read(task.main_file) else "ModelNew"


def _one_of_few(what: str) -> AbstractContextManager[None]:
    return one_of_few(what, max(1, len(usable_cpus()) // CPUS_PER_BUILD))


def _settings(task: Task) -> HarnessSettings:
    table = task.table(Torch)
    return HarnessSettings(
        problems=tuple(problem_texts(task)),
        where=str(task.folder / task.main_file),
        device=device_of(task),
        threads=task.limits.cpus,
        tf32=table.tf32,
        strict=table.precision == "strict",
        trials=table.trials,
        distributions=table.distributions,
        seconds=task.limits.seconds,
        allocator=str(arena_allocator()),
        most_bytes=memory_limit(task),
        weights_change=table.weights == "every-call",
    )


def problem_texts(task: Task) -> Iterator[tuple[str, str]]:
    """Texts of the problem, each with its sizes in words: at the timed sizes, then at others that are verified."""
    table, text, where = task.table(Torch), task.read(task.main_file), str(task.folder / task.main_file)
    usual = table.constants | (table.constants_cpu if device_of(task) == "cpu" else {})
    yield with_constants(text, usual, where), "the usual sizes"
    for other in table.shapes:
        yield with_constants(text, usual | other, where), _in_words(other)


def _in_words(constants: Constants) -> str:
    return ", ".join(f"{name} = {value}" for name, value in constants.items())


def _wants_compiled(task: Task) -> bool:
    wanted = task.table(Torch).compiled
    return device_of(task) == "cuda" if wanted is None else wanted
