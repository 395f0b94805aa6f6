"""Models of PyTorch: a harness that owns data, clock and verdict, and each candidate in a process of its own."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from maxcode.core import Candidate, EvaluatorError, Fact, InputError, Measurement, Mode, Status, content_hash
from maxcode.evaluate.build import Built
from maxcode.evaluate.cgroups import ControlGroup, group_name
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.gpu import device_of, gpu_reserved, gpus, temperature_and_clocks, torch_version
from maxcode.evaluate.judge import Tally
from maxcode.evaluate.native import arena_allocator, call_filter
from maxcode.evaluate.pairs import Pair, Pairs
from maxcode.evaluate.pytorch import rules
from maxcode.evaluate.pytorch.channel import Channel, Gone, Nonsense, Silence
from maxcode.evaluate.pytorch.confine import Confinement
from maxcode.evaluate.pytorch.facts import facts
from maxcode.evaluate.pytorch.nursery import Child, Nursery, needed_folders
from maxcode.evaluate.pytorch.settings import Settings
from maxcode.evaluate.sandbox import MEGABYTE, Sandbox
from maxcode.home import cache_folder, home
from maxcode.task.model import Task
from maxcode.task.problem import with_constants
from maxcode.task.torch import Constants, Torch

FILE = "candidate.py"
BUILD_SECONDS = 300.0
SCRATCH_MB = 2048
HARNESS_SECONDS = 600.0
"""Beyond a candidate's own time limit: references in float64, and torch.compile of a baseline."""
BUILDING = ("load_inline", "cpp_extension")


@dataclass
class _Process:
    child: Child
    key: str


@dataclass
class _Open:
    """A harness that has a task set up."""

    task: Task
    child: Child
    connection: Connection
    description: dict[str, Any]
    sides: dict[str, _Process] = field(default_factory=dict)


class TorchJudge:
    def __init__(self, sandboxes: tuple[Sandbox, Sandbox], cpus: tuple[int, ...], slot: int) -> None:
        self._sandboxes, self._cpus, self._slot = sandboxes, cpus, slot
        self._nursery = Nursery(cpus)
        self._open: _Open | None = None
        self._device_held = ExitStack()
        self._group: ControlGroup | None = None

    def close(self) -> None:
        self._close_harness()
        self._nursery.close()
        if self._group:
            self._group.remove()

    def broken_rule(self, task: Task, candidate: Candidate) -> str | None:
        return rules.broken_rule(task, candidate)

    def build(self, task: Task, candidate: Candidate, mode: Mode) -> Built:  # noqa: ARG002
        text = candidate.files[task.main_file]
        try:
            compile(text, FILE, "exec")
        except (SyntaxError, ValueError) as error:
            raise Failure(Status.BUILD_ERROR, f"line {getattr(error, 'lineno', '?')}: {error}") from None
        folder = cache_folder("torch") / content_hash(candidate.id, torch_version() or "", str(gpus()))
        builds = folder / "builds"
        if not (folder / FILE).exists():
            builds.mkdir(parents=True, exist_ok=True)
            if any(word in text for word in BUILDING):
                self._build_extensions(task, text, builds)
            (folder / FILE).write_text(text)
        return Built(folder, None, cached=False, key=candidate.id)

    def baseline(self, task: Task) -> Built:
        return self.build(task, task.baseline_candidate, Mode.SEARCH)

    def verify(self, task: Task, built: Built, seed: int, tally: Tally, *, timed: bool) -> None:
        harness = self._harness(task)
        tally.total = int(self._ask("total")) + timed
        self._start("candidate", task, built)
        try:
            tally.passed, _ = self._ask("verify", seed=seed)
        except Failure as failure:
            tally.passed = failure.passed
            self.dismiss()
            raise
        if not timed:
            self.dismiss()
        assert harness is self._open

    def sanitize(self, task: Task, candidate: Candidate, seed: int) -> bool:  # noqa: ARG002
        return False

    def pairs(self, task: Task, baseline: Built, candidate: Built, seed: int) -> Pairs:  # noqa: ARG002
        self._harness(task)
        return _TorchPairs(self, task, (baseline, candidate))

    def threads(self, task: Task) -> int:
        """The wall clock counts on a GPU: the work is not in the process."""
        return 2 if device_of(task) == "cuda" else task.limits.cpus

    def annotate(self, task: Task, found: Measurement) -> Measurement:
        if device_of(task) == "cpu":
            return found
        note = f"{gpus()[0]}, torch {torch_version()}; clocks, temperature, power after: {temperature_and_clocks()}"
        return found.model_copy(update={"note": note})

    def profile(self, task: Task, candidate: Candidate, seed: int) -> tuple[Fact, ...]:  # noqa: ARG002
        built = self.build(task, candidate, Mode.SEARCH)
        self._harness(task)
        self._start("candidate", task, built)
        try:
            traced = self._ask("trace")
        finally:
            self.dismiss()
        assert built.program is not None
        return facts(traced, built.program / "builds", device_of(task))

    def prepare(self, task: Task, programs: tuple[Built, Built], *, fresh: bool) -> None:
        """Both processes ready to be timed, and warm; fresh ones where asked."""
        for which, built in zip(("baseline", "candidate"), programs, strict=True):
            self._start(which, task, built, fresh=fresh)
        self._ask("exclusive", candidate_first=False)

    def time_pair(self, kind: str, **given: Any) -> Pair:
        pair: Pair = self._ask(kind, **given)
        return pair

    def dismiss(self) -> None:
        """Ends the candidate's process and lets others have the GPU."""
        if self._open:
            known = self._open.sides.pop("candidate", None)
            if known:
                known.child.kill()
                self._send("detach", which="candidate")
        self._device_held.close()

    def _harness(self, task: Task) -> _Open:
        if self._open and self._open.task.hash == task.hash and self._open.child.ended(0) is None:
            return self._open
        self._close_harness()
        ours, theirs = socket.socketpair()
        with theirs:
            child = self._nursery.spawn("harness", [theirs.fileno()], {})
        connection = Connection(ours.detach())
        self._open = _Open(task, child, connection, {})
        with self._device(task):
            self._open.description = self._ask("set up", settings=_settings(task))
        return self._open

    def _close_harness(self) -> None:
        if self._open:
            for known in self._open.sides.values():
                known.child.kill()
            self._open.child.kill()
            self._open.connection.close()
        self._open = None
        self._device_held.close()

    @contextmanager
    def _device(self, task: Task) -> Iterator[None]:
        with ExitStack() as stack:
            stack.enter_context(gpu_reserved(device_of(task)))
            yield

    def _start(self, which: str, task: Task, built: Built, *, fresh: bool = False) -> None:
        """A process for this program, unless it is the one that runs already."""
        opened = self._open
        assert opened is not None and built.program is not None
        if which == "candidate":
            self._hold_device(task)
        known = opened.sides.get(which)
        if known and not fresh and known.key == built.key and known.child.ended(0) is None:
            return
        if known:
            known.child.kill()
        text = (built.program / FILE).read_text()
        ours, theirs = socket.socketpair()
        arguments = {
            "device": device_of(task),
            "threads": task.limits.cpus,
            "tf32": _torch(task).tf32,
            "builds": any(word in text for word in BUILDING),
        }
        with theirs:
            child = self._nursery.spawn(
                "candidate",
                [theirs.fileno()],
                arguments,
                confinement=self._confinement(task, which, built.program / "builds", may_build=False),
            )
        opened.sides[which] = _Process(child, built.key)
        name = "Model" if text == task.read(task.main_file) else "ModelNew"
        self._hand_over(ours, which=which, pid=child.pid, text=text, name=name)

    def _hold_device(self, task: Task) -> None:
        self._device_held.close()
        self._device_held.enter_context(gpu_reserved(device_of(task)))

    def _hand_over(self, channel: socket.socket, **given: Any) -> None:
        """The harness gets the other end of a candidate's channel."""
        opened = self._open
        assert opened is not None
        with channel, socket.socket(fileno=_duplicate(opened.connection)) as passing:
            self._send_request("attach", given | {"descriptor": None})
            socket.send_fds(passing, [b"d"], [channel.fileno()])
        self._receive()

    def _ask(self, name: str, **given: Any) -> Any:
        self._send_request(name, given)
        return self._receive()

    def _send(self, name: str, **given: Any) -> None:
        try:
            self._ask(name, **given)
        except (Failure, EvaluatorError):
            pass

    def _send_request(self, name: str, given: dict[str, Any]) -> None:
        assert self._open is not None
        try:
            self._open.connection.send((name, given))
        except OSError:
            raise self._lost() from None

    def _receive(self) -> Any:
        assert self._open is not None
        connection = self._open.connection
        try:
            if not connection.poll(HARNESS_SECONDS + 4 * self._open.task.limits.seconds):
                raise EOFError
            kind, answer = connection.recv()
        except (EOFError, OSError):
            raise self._lost() from None
        if kind == "done":
            return answer
        if kind == "input":
            raise InputError(answer)
        if kind == "fault":
            raise EvaluatorError(f"the harness failed: {answer}")
        status, reason, mismatch, passed = answer
        failure = Failure(status, self._explained(status, reason), mismatch)
        failure.passed = passed
        raise failure

    def _lost(self) -> EvaluatorError:
        assert self._open is not None
        told = self._open.child.output()
        self._close_harness()
        return EvaluatorError(f"the harness process ended without an answer: {told or 'no message'}")

    def _explained(self, status: Status, reason: str) -> str:
        """How the candidate's process ended, where that is what went wrong."""
        known = self._open.sides.get("candidate") if self._open else None
        if status is not Status.CRASHED or known is None or "its process ended" not in reason:
            return reason
        ended = known.child.ended()
        if self._group and self._group.memory_kills():
            return f"{reason}: killed at the memory limit"
        told = known.child.output()
        return f"{reason}{_ending(ended)}" + (f":\n{told}" if told else "")

    def _build_extensions(self, task: Task, text: str, builds: Path) -> None:
        harness = self._harness(task)
        ours, theirs = socket.socketpair()
        self._sandboxes[0].give(builds)
        environment = {"CUDA_VISIBLE_DEVICES": "", "MAXCODE_CUDA_ARCH": str(harness.description.get("arch") or "")}
        with theirs:
            child = self._nursery.spawn(
                "builder",
                [theirs.fileno()],
                {},
                confinement=self._confinement(task, "builder", builds, may_build=True),
                environment=environment,
            )
        channel = Channel(ours.detach())
        limit = max(BUILD_SECONDS, task.build.seconds)
        init = harness.description.get("init") or {"list": []}
        try:
            channel.send({"text": text, "class": "ModelNew", "init": init, "nonce": ""})
            answer = channel.receive(limit)
        except Silence:
            raise Failure(Status.BUILD_ERROR, f"took longer than {limit:g} s to build") from None
        except (Gone, Nonsense):
            reason = f"its process ended while it was built{_ending(child.ended())}:\n{child.output()}"
            raise Failure(Status.BUILD_ERROR, reason) from None
        finally:
            channel.close()
            child.kill()
        if "error" in answer:
            raise Failure(Status.BUILD_ERROR, str(answer["error"]))

    def _confinement(self, task: Task, which: str, builds: Path, *, may_build: bool) -> Confinement:
        sandbox = self._sandboxes[which == "baseline"]
        on_gpu = device_of(task) == "cuda"
        if self._group is None and sandbox.protections.memory_group:
            self._group = ControlGroup.create(group_name(self._slot, "torch"))
        if self._group:
            self._group.limit(memory_bytes=(2 * task.limits.memory_mb + 4096) * MEGABYTE, tasks=1024)
        bounded = self._group is not None or on_gpu or which == "builder"
        headers = cache_folder("torch-headers")
        return Confinement(
            uid=sandbox.uid if sandbox.own_user else None,
            scratch_mb=SCRATCH_MB,
            memory_mb=None if bounded else task.limits.memory_mb + 4096,
            join=tuple(str(file) for file in self._group.join_files) if self._group else (),
            builds=str(builds),
            may_build=may_build,
            headers=str(headers) if headers.is_dir() else None,
            hidden=(str(home()), str(task.folder)),
            needed=(*needed_folders(), str(call_filter().parent), str(arena_allocator().parent)),
            library=str(call_filter()) if sandbox.protections.seccomp else "",
        )


class _TorchPairs:
    """Both programs in processes that live about as long as they took to start.

    Each process has pages of its own, and runs a little faster or slower for it: several must be sampled.
    """

    def __init__(self, judge: TorchJudge, task: Task, programs: tuple[Built, Built]) -> None:
        self._judge, self._task, self._programs = judge, task, programs
        self._used, self._cost = 0.0, -1.0

    def exclusive(self, candidate_first: bool) -> Pair:
        return self._timed("exclusive", candidate_first=candidate_first)

    def duet(self) -> Pair:
        return self._timed("duet")

    def close(self) -> None:
        self._judge.dismiss()

    def _timed(self, kind: str, **given: Any) -> Pair:
        if self._used > self._cost:
            began = time.monotonic()
            self._judge.prepare(self._task, self._programs, fresh=self._cost >= 0)
            self._used, self._cost = 0.0, time.monotonic() - began
        began = time.monotonic()
        pair = self._judge.time_pair(kind, **given)
        self._used += time.monotonic() - began
        return pair


def _settings(task: Task) -> Settings:
    table, device = _torch(task), device_of(task)
    return Settings(
        problems=tuple(problem_texts(task)),
        where=str(task.folder / task.main_file),
        device=device,
        threads=task.limits.cpus,
        tf32=table.tf32,
        strict=table.precision == "strict",
        trials=table.trials,
        distributions=table.distributions,
        seconds=task.limits.seconds,
        allocator=str(arena_allocator()),
    )


def problem_texts(task: Task) -> Iterator[tuple[str, str]]:
    """The problem at the sizes that are timed, and at those that it is verified at besides; with the sizes in words."""
    table, text, where = _torch(task), task.read(task.main_file), str(task.folder / task.main_file)
    usual = table.constants | (table.constants_cpu if device_of(task) == "cpu" else {})
    yield with_constants(text, usual, where), "the usual sizes"
    for other in table.shapes:
        yield with_constants(text, usual | other, where), _in_words(other)


def _in_words(constants: Constants) -> str:
    return ", ".join(f"{name} = {value}" for name, value in constants.items())


def _torch(task: Task) -> Torch:
    assert task.torch is not None
    return task.torch


def _duplicate(connection: Connection) -> int:
    return os.dup(connection.fileno())


def _ending(ended: dict[str, Any] | None) -> str:
    if ended is None:
        return ""
    status = ended["status"]
    if status < 0 or not os.WIFSIGNALED(status):
        return f" (exit code {os.WEXITSTATUS(status)})" if status >= 0 else ""
    try:
        return f" ({signal.Signals(os.WTERMSIG(status)).name})"
    except ValueError:
        return f" (signal {os.WTERMSIG(status)})"
