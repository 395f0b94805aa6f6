"""The worker's side of a torch evaluation: one harness, and the processes it drives, each confined."""

from __future__ import annotations

import os
import signal
import socket
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from maxcode.core import EvaluatorError, InputError, Status, content_hash
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.gpu import gpu_reserved
from maxcode.evaluate.machine import cpu_flags, cpu_model
from maxcode.evaluate.native.compiled import arena_allocator, call_filter
from maxcode.evaluate.sandbox.cgroups import ControlGroup, group_name
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.evaluate.sandbox.view import MEGABYTE
from maxcode.kinds.torch.device import device_class, device_of
from maxcode.kinds.torch.processes import caches
from maxcode.kinds.torch.processes.channel import Channel, Gone, Nonsense, Silence
from maxcode.kinds.torch.processes.confine import Confinement
from maxcode.kinds.torch.processes.process_spawner import Child, ProcessSpawner, needed_folders
from maxcode.kinds.torch.processes.settings import HarnessSettings
from maxcode.kinds.torch.table import Torch
from maxcode.system.home import cache_folder, home
from maxcode.task.model import Task

SCRATCH_MB = 2048
TORCH_MB = 2048
"""Megabytes that torch itself takes of a process's memory."""
BUILD_NICE = {"cpu": 0, "cuda": 19}
"""Nice value of builds. With a GPU they run on the cores of timed processes too, and come after all others there."""
BUILDS_BEFORE_HEADERS = {"cpu": 8, "cuda": 1}
"""Number of a worker's builds from which on headers are compiled ahead. A machine runs several workers."""
HARNESS_SECONDS = 600.0
"""Seconds that the worker waits for the harness, on top of four time limits of the task: references in float64 take
long, and so does the construction of some models."""
BUILDING = ("load_inline", "cpp_extension")
COMPILING = ("torch.compile", "compile(", "triton")


@dataclass(frozen=True)
class ModelText:
    """Text that a process runs, the extensions built for it, and the name of the class that is the model."""

    key: str
    text: str
    builds: Path
    model: str
    compiled: bool = False

    @property
    def has_extensions(self) -> bool:
        return any(word in self.text for word in BUILDING)

    @property
    def compiles(self) -> bool:
        """True if the program seems to compile while it runs, in each of its processes."""
        return self.compiled or any(word in self.text for word in COMPILING)


@dataclass
class _Harness:
    task: Task
    child: Child
    connection: Connection
    description: dict[str, Any]
    sides: dict[str, tuple[ModelText, Child]] = field(default_factory=dict)
    failed: bool = False
    """True if a request has failed since the latest process was started. Its compiler caches may be half written
    then."""


class HarnessSession:
    def __init__(self, sandboxes: tuple[Sandbox, Sandbox], cpus: tuple[int, ...], slot: int) -> None:
        self._sandboxes, self._slot = sandboxes, slot
        self._spawner = ProcessSpawner(cpus)
        self._harness: _Harness | None = None
        self._device_held, self._holding = ExitStack(), False
        self._group: ControlGroup | None = None
        self._builds = 0
        self._headers: Child | None = None

    def close(self) -> None:
        self._close_harness()
        if self._headers:
            self._headers.kill()
        self._spawner.close()
        if self._group:
            self._group.remove()

    def open(self, task: Task, settings: HarnessSettings) -> None:
        """Starts a harness with this task, unless one with it runs already."""
        known = self._harness
        if known and known.task.hash == task.hash and known.child.ended(0) is None:
            return
        self._close_harness()
        ours, theirs = socket.socketpair()
        with theirs:
            child = self._spawner.spawn("harness", [theirs.fileno()], {})
        self._harness = _Harness(task, child, Connection(ours.detach()), {})
        self._harness.description = self.ask("set up", settings=settings)

    def ask(self, request: str, **given: Any) -> Any:
        self._send(request, given)
        return self._receive()

    def start(self, which: str, program: ModelText, *, fresh: bool = False) -> None:
        """Starts a process for this program, unless one runs already and need not be `fresh`."""
        harness = self._opened
        known, child = harness.sides.get(which, (None, None))
        if known == program and not fresh and child and child.ended(0) is None:
            return
        if known and child:
            self._kill(known, child)
        ours, theirs = socket.socketpair()
        with ours, theirs:
            made = self._spawn(which, program, theirs.fileno())
            harness.sides[which], harness.failed = (program, made), False
            given = {"which": which, "pid": made.pid, "text": program.text, "name": program.model}
            self._send("attach", given | {"compiled": program.compiled})
            with socket.socket(fileno=os.dup(harness.connection.fileno())) as passing:
                socket.send_fds(passing, [b"d"], [ours.fileno()])
            self._receive()

    def hold_device(self) -> None:
        """Reserves the GPU until `dismiss`. Waits for other MaxCode processes that have it."""
        if not self._holding:
            self._device_held.enter_context(gpu_reserved(device_of(self._opened.task)))
            self._holding = True

    def _free_device(self) -> None:
        self._device_held.close()
        self._holding = False

    def end(self, which: str) -> None:
        """Ends one process. The GPU stays reserved."""
        known, child = self._opened.sides.pop(which, (None, None))
        if known and child:
            self._kill(known, child)
            self.ask("detach", which=which)

    def dismiss(self) -> None:
        """Ends the processes, on a CPU all but the baseline's, and gives the GPU and its memory back."""
        try:
            if self._harness and self._harness.sides:
                self._clear(self._harness)
        finally:
            self._free_device()

    def _clear(self, harness: _Harness) -> None:
        on_gpu = device_of(harness.task) == "cuda"
        ended = [which for which in harness.sides if on_gpu or which != "baseline"]
        for which in ended:
            self._kill(*harness.sides.pop(which))
        with suppress(Failure, EvaluatorError):
            if on_gpu:
                self.ask("rest")
            for which in ended:
                self.ask("detach", which=which)

    def build(self, program: ModelText, seconds: float) -> None:
        """Builds a program's extensions into its folder, in a process without a GPU. Failure when it does not build."""
        harness = self._opened
        self._sandboxes[0].give(program.builds)
        device = device_of(harness.task)
        self._prepare_headers(device)
        architecture = str(harness.description.get("arch") or "")
        ours, theirs = socket.socketpair()
        with theirs:
            child = self._spawner.spawn(
                "builder",
                [theirs.fileno()],
                {},
                confinement=self.confinement("builder", program),
                environment={"CUDA_VISIBLE_DEVICES": "", "MAXCODE_CUDA_ARCH": architecture},
                everywhere=device == "cuda",  # on a CPU it would disturb what is timed on other cores
                nice=BUILD_NICE[device],
            )
        channel = Channel(ours.detach())
        init = harness.description.get("init") or {"list": []}
        try:
            channel.send({"text": program.text, "class": program.model, "init": init, "nonce": ""})
            answer = channel.receive(seconds)
        except Silence:
            raise Failure(Status.BUILD_ERROR, f"took longer than {seconds:g} s to build") from None
        except (Gone, Nonsense):
            reason = f"its process ended while it was built{ending(child.ended())}:\n{child.output()}"
            raise Failure(Status.BUILD_ERROR, reason) from None
        finally:
            channel.close()
            child.kill()
        if "error" in answer:
            raise Failure(Status.BUILD_ERROR, str(answer["error"]))

    def compile_ahead(self, program: ModelText, problems: tuple[str, ...], seconds: float, *, alone: bool) -> None:
        """Calls a program that compiles as it runs, to keep what its compilers make.

        Errors are ignored: they will recur when the program is judged. Must not be called between `hold_device` and
        `dismiss`.
        """
        assert not self._holding  # the caller reserves the GPU, and would wait for its own lock
        ours, theirs = socket.socketpair()
        with theirs:
            child = self._spawn("candidate", program, theirs.fileno(), role="ahead")
        channel = Channel(ours.detach())
        try:
            channel.send({"text": program.text, "class": program.model, "problems": problems})
            channel.receive(seconds)
            caches.keep(child, self._caches(program), choices=alone)
        except (Silence, Gone, Nonsense):
            pass
        finally:
            channel.close()
            child.kill()

    @property
    def _opened(self) -> _Harness:
        assert self._harness is not None
        return self._harness

    def _spawn(self, which: str, program: ModelText, channel: int, role: str = "candidate") -> Child:
        task = self._opened.task
        arguments = {
            "device": device_of(task),
            "threads": task.limits.cpus,
            "tf32": task.table(Torch).tf32,
            "builds": program.has_extensions,
        }
        confinement = self.confinement(which, program)
        everywhere = device_of(task) == "cuda"  # one evaluation has the GPU and starts several processes
        return self._spawner.spawn(
            role,
            [channel],
            arguments,
            confinement=confinement,
            everywhere=everywhere,
            compiles=program.compiles,
        )

    def _kill(self, program: ModelText, child: Child) -> None:
        if program.compiles and not self._opened.failed:  # a program too slow to compile must not get further each time
            caches.keep(child, self._caches(program))
        child.kill()

    def _caches(self, program: ModelText) -> Path:
        """Archive of the program's compiler caches, for this device, processor and settings."""
        task = self._opened.task
        settings = (str(program.compiled), str(task.limits.cpus), str(task.table(Torch).tf32))
        made_for = content_hash(program.model, *settings, device_class(task), _processor())
        return program.builds.parent / "caches" / f"{made_for}.tar"

    def _prepare_headers(self, device: str) -> None:
        """Compiles headers ahead, beside the builds, after enough of them: on a CPU a single build is not worth it."""
        self._builds += 1
        if self._headers is None and self._builds >= BUILDS_BEFORE_HEADERS[device]:
            folder = {"folder": str(cache_folder("torch-headers"))}
            self._headers = self._spawner.spawn(
                "headers", [], folder, everywhere=device == "cuda", nice=BUILD_NICE[device]
            )

    def _send(self, request: str, given: dict[str, Any]) -> None:
        try:
            self._opened.connection.send((request, given))
        except OSError:
            raise self._lost() from None

    def _receive(self) -> Any:
        harness = self._opened
        try:
            if not harness.connection.poll(HARNESS_SECONDS + 4 * harness.task.limits.seconds):
                raise EOFError
            kind, answer = harness.connection.recv()
        except (EOFError, OSError):
            raise self._lost() from None
        if kind == "done":
            return answer
        harness.failed = True
        if kind == "input":
            raise InputError(answer)
        if kind == "fault":
            self._close_harness()
            raise EvaluatorError(f"the harness failed: {answer}")
        status, reason, mismatch, passed = answer
        failure = Failure(status, self._explained(status, reason), mismatch)
        failure.passed = passed
        raise failure

    def _lost(self) -> EvaluatorError:
        told = self._opened.child.output()
        self._opened.failed = True
        self._close_harness()
        return EvaluatorError(f"the harness process ended without an answer: {told or 'no message'}")

    def _explained(self, status: Status, reason: str) -> str:
        """The reason, with how the candidate's process ended where that is what went wrong."""
        _, child = self._opened.sides.get("candidate", (None, None))
        if status is not Status.CRASHED or child is None or "its process ended" not in reason:
            return reason
        if self._group and self._group.memory_kills():
            return f"{reason}: killed at the memory limit"
        told = child.output()
        return f"{reason}{ending(child.ended())}" + (f":\n{told}" if told else "")

    def _close_harness(self) -> None:
        if self._harness:
            for program, child in self._harness.sides.values():
                self._kill(program, child)
            self._harness.child.kill()
            self._harness.connection.close()
        self._harness = None
        self._free_device()

    def confinement(self, which: str, program: ModelText) -> Confinement:
        task = self._opened.task
        sandbox = self._sandboxes[which == "baseline"]
        if self._group is None and sandbox.protections.memory_group:
            self._group = ControlGroup.create(group_name(self._slot, "torch"))
        if self._group:
            self._group.limit(memory_bytes=2 * memory_limit(task), tasks=1024)
        bounded = self._group is not None or device_of(task) == "cuda" or which == "builder"
        headers = cache_folder("torch-headers")
        return Confinement(
            uid=sandbox.uid if sandbox.own_user else None,
            scratch_mb=SCRATCH_MB,
            memory_mb=None if bounded else memory_limit(task) // MEGABYTE,
            join=tuple(str(file) for file in self._group.join_files) if self._group else (),
            builds=str(program.builds),
            may_build=which == "builder",
            headers=str(headers) if headers.is_dir() else None,
            caches=str(self._caches(program)),
            hidden=(str(home()), str(task.folder)),
            needed=(*needed_folders(), str(call_filter().parent), str(arena_allocator().parent)),
            library=str(call_filter()) if sandbox.protections.seccomp else "",
        )


@cache
def _processor() -> str:
    """Hash of the processor's model and features, on which compiled code depends.

    Kept, since it is slow with many CPUs.
    """
    return content_hash(cpu_model(), *sorted(cpu_flags()))


def memory_limit(task: Task) -> int:
    """Bytes that a candidate's process may have."""
    return (task.limits.memory_mb + TORCH_MB) * MEGABYTE


def ending(ended: dict[str, Any] | None) -> str:
    """How a process ended, in brackets.

    Its exit code is left out: it could be a value that the program must not tell.
    """
    status = ended["status"] if ended else -1
    if status < 0:
        return ""
    if not os.WIFSIGNALED(status):
        return " (it left)" if os.WEXITSTATUS(status) == 0 else " (it left with an exit code other than 0)"
    try:
        return f" ({signal.Signals(os.WTERMSIG(status)).name})"
    except ValueError:
        return f" (signal {os.WTERMSIG(status)})"
