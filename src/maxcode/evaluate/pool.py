"""The local engine: warm worker processes, one measuring slot per core, so that timings never overlap on a core.

A worker builds while another measures. `confirm`, and tasks that use several CPUs, get the whole machine to themselves.
A worker that dies costs its evaluation a retry elsewhere, never a verdict.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol, Self, TypeVar, Unpack

from maxcode.core import Candidate, EvaluatorError, InputError, Mode, Noise, Outcome
from maxcode.evaluate import worker
from maxcode.evaluate.machine import usable_cpus
from maxcode.evaluate.outcomes import outcome_key
from maxcode.evaluate.requests import Asked, judge_each, kept_outcome, noise_request
from maxcode.evaluate.sandbox import cgroups
from maxcode.evaluate.sandbox.memory import VARIABLE, new_memory_folder, sweep_stale_memory
from maxcode.evaluate.stages import Request
from maxcode.system.children import own_python
from maxcode.system.stale import stale
from maxcode.task.model import Task

SCRATCH_PREFIX = "maxcode-pool-"
MOST_ATTEMPTS = 20
Found = TypeVar("Found")


class Evaluator(Protocol):
    """Judges candidates of a task; the answers are in the order of the candidates, whatever the engine."""

    async def __call__(
        self, task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]: ...


class Pool(Evaluator, Protocol):
    """An engine: judges candidates, also with sanitizers or a profiler, as many side by side as it has slots.

    With `pairs`, correct programs are measured further by that many; `seconds` bounds the sampling of each.
    """

    @property
    def slots(self) -> int: ...

    async def __call__(self, task: Task, candidates: list[Candidate], **asked: Unpack[Asked]) -> list[Outcome]: ...


class LocalPool:
    """A `Pool` of worker processes on this machine. Use as `async with LocalPool() as evaluate:`."""

    def __init__(self, workers: int | None = None, *, use_cache: bool = True) -> None:
        cpus = usable_cpus()
        self._cpus = cpus[: workers or len(cpus)]
        self._use_cache = use_cache
        self._workers: dict[int, _Worker] = {}
        self._free: asyncio.LifoQueue[int] = asyncio.LifoQueue()  # the worker that was used last is warm
        self._whole_machine = asyncio.Lock()

    async def __aenter__(self) -> Self:
        _sweep_stale()
        self._scratch = Path(tempfile.mkdtemp(prefix=f"{SCRATCH_PREFIX}{os.getpid()}-"))
        self._memory = new_memory_folder()
        # One waits for each worker, and one for a worker that is ending; the loop's own threads would be too few.
        self._threads = ThreadPoolExecutor(2 * len(self._cpus), thread_name_prefix="worker")
        for slot in reversed(range(len(self._cpus))):
            self._free.put_nowait(slot)
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(self._in_thread(each.stop) for each in self._workers.values()))
        self._workers.clear()
        self._threads.shutdown(wait=False)
        cgroups.sweep_stale(patience=2.0)
        for folder in filter(None, (self._scratch, self._memory)):
            shutil.rmtree(folder, ignore_errors=True)

    async def __call__(self, task: Task, candidates: list[Candidate], **asked: Unpack[Asked]) -> list[Outcome]:
        return await judge_each(candidates, lambda request: self._evaluate(task, request), **asked)

    @property
    def slots(self) -> int:
        return len(self._cpus)

    async def noise(self, task: Task) -> Noise:
        """A/A noise of the task's baseline on this machine; measured when it is not known yet."""
        answer = await self._ask(task, _job(task, noise_request(task), only_noise=True))
        assert answer.noise is not None
        return answer.noise

    @property
    def worker_pids(self) -> list[int]:
        return [pid for each in self._workers.values() if (pid := each.pid) is not None]

    async def _evaluate(self, task: Task, request: Request) -> Outcome:
        async def judge() -> tuple[Outcome, bool]:
            answer = await self._ask(task, _job(task, request))
            assert answer.outcome is not None
            return answer.outcome, False

        kept = self._use_cache and request.keepable
        return await kept_outcome(outcome_key(task, request.candidate, request) if kept else None, judge)

    async def _ask(self, task: Task, job: worker.Job) -> worker.Answer:
        for attempt in range(MOST_ATTEMPTS):
            async with self._slot(task, job.request.mode) as (slot, cpus):
                each = self._workers.get(slot)
                if each is None or each.cpus != cpus:
                    if each:
                        await self._in_thread(each.stop)
                    each = self._workers[slot] = _Worker(slot, cpus, self._scratch, self._memory)
                try:
                    answer = await self._in_thread(each.ask, job)
                except asyncio.CancelledError:  # its answer would be taken for the answer to the next question
                    self._workers.pop(slot)
                    each.stop()
                    raise
                if answer is None:
                    self._workers.pop(slot)
                    await self._in_thread(each.stop)
                    continue
            if answer.fault == "input":
                raise InputError(answer.error or "")
            if answer.fault == "evaluator" and attempt > 0:
                raise EvaluatorError(answer.error or "")
            if answer.fault is None:
                return answer
        raise EvaluatorError(
            f"the worker process died {MOST_ATTEMPTS} times in a row on this evaluation; see `maxcode doctor`"
        )

    def _in_thread(self, work: Callable[..., Found], *given: object) -> asyncio.Future[Found]:
        return asyncio.get_running_loop().run_in_executor(self._threads, work, *given)

    @contextlib.asynccontextmanager
    async def _slot(self, task: Task, mode: Mode) -> AsyncIterator[tuple[int, tuple[int, ...]]]:
        """Takes one slot, or all of them where nothing else may run at the same time."""
        taken: list[int] = []
        wanted = 1 if mode is Mode.SEARCH and task.limits.cpus == 1 else len(self._cpus)
        try:
            if wanted == 1:
                taken.append(await self._free.get())
            else:
                async with self._whole_machine:  # only one collects at a time, or two could starve each other
                    while len(taken) < wanted:
                        taken.append(await self._free.get())
            slot = taken[0]
            cpus = (self._cpus[slot],) if task.limits.cpus == 1 else tuple(self._cpus)
            yield slot, cpus
        finally:
            for each in reversed(taken):
                self._free.put_nowait(each)


def _job(task: Task, request: Request, *, only_noise: bool = False) -> worker.Job:
    return worker.Job(
        folder=task.folder, changes=task.changes, task_hash=task.hash, request=request, only_noise=only_noise
    )


class _Worker:
    """The pool's end of one worker process.

    A command of its own rather than `multiprocessing`, which would run the caller's script again in each worker.
    """

    def __init__(self, slot: int, cpus: tuple[int, ...], scratch: Path, memory: Path | None) -> None:
        self.cpus = cpus
        self._busy = False
        ours, theirs = socket.socketpair()
        with theirs:
            words = [str(theirs.fileno()), str(slot), ",".join(map(str, cpus)), str(scratch)]
            self._process = subprocess.Popen(
                own_python("-c", "from maxcode.evaluate.worker import main; main()", *words),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env={**os.environ, VARIABLE: str(memory or "")},
            )
        self._connection = Connection(ours.detach())

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process.poll() is None else None

    def ask(self, job: worker.Job) -> worker.Answer | None:
        """The worker's answer; None when it died."""
        self._busy = True
        try:
            self._connection.send(job)
            answer: worker.Answer = self._connection.recv()
        except (EOFError, OSError):
            return None
        self._busy = False
        return answer

    def stop(self) -> None:
        """Lets an idle worker end by itself; one in the middle of something is not waited for."""
        if self._busy:
            self._process.kill()
        else:
            self._connection.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _sweep_stale() -> None:
    """Removes what pools that were killed left behind."""
    cgroups.sweep_stale()
    sweep_stale_memory()
    for folder in stale(Path(tempfile.gettempdir()).glob(f"{SCRATCH_PREFIX}*"), SCRATCH_PREFIX):
        shutil.rmtree(folder, ignore_errors=True)
