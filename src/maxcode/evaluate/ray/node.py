"""A benchmark node's side: one actor per machine that owns its measuring slots, in the shape of a local pool.

The slots are the local pool's worker processes, each pinned to its CPU, so outcomes are the local pool's. They have one
owner, because `confirm` and programs with threads need the whole machine, whichever run asks for it.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal

from maxcode.core import EvaluatorError, Frozen, InputError, Noise, Outcome
from maxcode.evaluate.pool import LocalPool
from maxcode.evaluate.ray.bundle import Bundle, kept_folder, unpack
from maxcode.evaluate.ray.place import NodeHealth, NodeInfo, this_place
from maxcode.evaluate.ray.reference import measure_health
from maxcode.evaluate.stages import Request
from maxcode.task import load_task
from maxcode.task.kind import NodeKind
from maxcode.task.model import Task

HEALTH_EVERY = 600.0
"""Seconds between two timings of the reference program."""
HEALTH_AT_MOST_EVERY = 20.0
MOST_TASKS = 64
"""Number of tasks that are kept loaded."""


class Order(Frozen):
    """One evaluation, with its task by content."""

    bundle: str
    folder: str
    changes: dict[str, Any]
    task_hash: str
    request: Request
    only_noise: bool = False


class NodeReply(Frozen):
    outcome: Outcome | None = None
    noise: Noise | None = None
    error: str | None = None
    fault: Literal["input", "evaluator", "unknown task", "leaving"] | None = None
    health: NodeHealth | None = None


class NodeActor:
    """Judges what it is asked, as many at once as it has slots; answers, and never raises."""

    def __init__(self, name: str, kind: NodeKind, slots: int, health_every: float = HEALTH_EVERY) -> None:
        self._name, self._kind, self._slots, self._health_every = name, kind, slots, health_every
        self._pool: LocalPool | None = None
        self._opening = asyncio.Lock()
        self._tasks: dict[str, Task] = {}
        self._health: NodeHealth | None = None
        self._busy = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._leaving = False
        self._look_again = asyncio.Event()

    async def describe(self) -> NodeInfo:
        await self._open()
        return NodeInfo(
            name=self._name,
            host=socket.gethostname(),
            kind=self._kind,
            slots=self._slots,
            place=this_place(),
            health=self._health,
            leaving=self._leaving,
        )

    async def take(self, bundle: Bundle) -> str | None:
        """Stores a task's files on this node. Returns what is wrong with them, if anything."""
        try:
            await asyncio.to_thread(unpack, bundle)
        except (InputError, OSError) as error:
            return str(error)
        return None

    async def ask(self, order: Order) -> NodeReply:
        if self._leaving:
            return NodeReply(fault="leaving", error="the node is leaving the cluster")
        pool = await self._open()
        try:
            with self._working():
                task = self._tasks.get(order.task_hash) or await asyncio.to_thread(self._task, order)
                if task is None:
                    return NodeReply(fault="unknown task", error=f"no task {order.bundle} here")
                return await self._judged(pool, task, order)
        except InputError as error:
            return NodeReply(fault="input", error=str(error))
        except EvaluatorError as error:
            return NodeReply(fault="evaluator", error=str(error))
        except Exception as error:  # a bug of ours must not look like a verdict
            return NodeReply(fault="evaluator", error=f"{type(error).__name__}: {error}")

    async def look_again(self) -> None:
        """Times the reference program now, because a run doubts this node, unless that was done a moment ago."""
        if self._health is None or time.time() - self._health.at > HEALTH_AT_MOST_EVERY:
            self._look_again.set()

    async def leave(self, patience: float) -> None:
        """Refuses new orders, waits up to `patience` seconds for those under way, and closes."""
        self._leaving = True
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), patience)
        if self._pool is not None:
            self._watching.cancel()
            await self._pool.__aexit__()

    async def _open(self) -> LocalPool:
        async with self._opening:
            if self._pool is None:
                self._pool = await LocalPool(self._slots, use_cache=False).__aenter__()
                self._watching = asyncio.create_task(self._watch(self._pool))
            return self._pool

    async def _watch(self, pool: LocalPool) -> None:
        while True:
            try:
                self._health = await measure_health(pool)
            except (EvaluatorError, InputError) as error:
                logging.getLogger(__name__).warning("reference program: %s", error)
            self._look_again.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._look_again.wait(), self._health_every)

    async def _judged(self, pool: LocalPool, task: Task, order: Order) -> NodeReply:
        if order.only_noise:
            return NodeReply(noise=await pool.noise(task), health=self._health)
        r = order.request
        (outcome,) = await pool(
            task,
            [r.candidate],
            mode=r.mode,
            seed=r.seed,
            sanitize=r.sanitize,
            profile=r.profile,
            measure=r.measure,
        )
        return NodeReply(outcome=outcome, health=self._health)

    def _task(self, order: Order) -> Task | None:
        """Task of an order, from the files sent; None when they were not sent or are gone."""
        folder = kept_folder(order.bundle) / order.folder
        if not folder.is_dir():
            return None
        task = load_task(folder, order.changes)
        if task.hash != order.task_hash:
            raise InputError(f"{task.name}: the task has changed since it was loaded; start again")
        while len(self._tasks) >= MOST_TASKS:
            self._tasks.pop(next(iter(self._tasks)))
        self._tasks[order.task_hash] = task
        return task

    @contextmanager
    def _working(self) -> Iterator[None]:
        self._busy += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._busy -= 1
            if not self._busy:
                self._idle.set()
