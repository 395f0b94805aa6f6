"""The cluster engine: an `Evaluator` over the nodes of a Ray cluster, with the outcomes of the local pool.

What is lost with a worker, an actor or a node is judged again elsewhere, a bounded number of times; after that it is an
EvaluatorError, never a verdict. What was measured under doubtful conditions is measured again, and the steadiest
measurement counts, not the fastest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from math import inf
from typing import Any, Self, TypeVar, Unpack

from maxcode.core import Candidate, EvaluatorError, InputError, Mode, Noise, Outcome, content_hash
from maxcode.evaluate.ray.bundle import Bundle, pack
from maxcode.evaluate.ray.node import NodeReply, Order
from maxcode.evaluate.ray.place import NodeClass, NodeInfo, new_name
from maxcode.evaluate.ray.reference import doubt, spread
from maxcode.evaluate.ray.remote import Lost, RemoteNode
from maxcode.evaluate.ray.runtime import Joining, RayNode, answers, connect, is_here, load_ray, split_address
from maxcode.evaluate.ray.slots import Slots
from maxcode.evaluate.requests import Asked, judge_each, kept_outcome, noise_request
from maxcode.evaluate.stages import Request
from maxcode.task.model import Task

Found = TypeVar("Found")

MOST_LOST = 8
MOST_FAULTS = 2
MOST_REPEATS = 2
BACKOFF, LONGEST_BACKOFF = 0.2, 10.0
LEAST_DEADLINE, DEADLINE_RUNS = 900.0, 300
"""Deadline of an evaluation: at least these seconds, or the time of this many runs at the task's time limit if
longer."""
MOST_BUNDLES = 256


class RayPool:
    """An `Evaluator` over a cluster. Use as `async with RayPool("10.0.0.1:6379") as evaluate:`."""

    def __init__(
        self,
        address: str,
        *,
        machine_class: str | None = None,
        patience: float = 60.0,
        use_cache: bool = True,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._address, self._machine_class, self._patience, self._say = address, machine_class, patience, say
        self._use_cache = use_cache
        self._bundles: dict[str, tuple[Bundle, Any]] = {}
        self._stack = AsyncExitStack()
        self._under_way: set[asyncio.Task[Any]] = set()

    async def __aenter__(self) -> Self:
        try:
            self._ray = await self._connected()
            self._slots = Slots(self._ray, self._patience, self._machine_class, self._say)
            await self._slots.any_node()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        """Cancels evaluations that are still waiting, here and on the nodes, while there is a connection to do it
        by."""
        for each in self._under_way:
            each.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)
        self._bundles.clear()
        await self._stack.aclose()

    async def __call__(self, task: Task, candidates: list[Candidate], **asked: Unpack[Asked]) -> list[Outcome]:
        return await judge_each(candidates, lambda request: self._tracked(self._evaluate(task, request)), **asked)

    async def noise(self, task: Task) -> Noise:
        """A/A noise of the task's baseline on one of the nodes."""
        _, reply = await self._tracked(self._ask(task, noise_request(task), set(), only_noise=True))
        assert reply.noise is not None
        return reply.noise

    @property
    def nodes(self) -> list[NodeInfo]:
        """All nodes that are known, used or not."""
        return self._slots.nodes

    @property
    def slots(self) -> int:
        """Number of slots of the nodes that judge programs and kernels, or of those with GPUs where there are no
        others."""
        used = self._slots.usable(("cpu",)) or self._slots.usable(("gpu",))
        return sum(node.info.slots for node in used)

    def _tracked(self, work: Coroutine[Any, Any, Found]) -> asyncio.Task[Found]:
        task = asyncio.ensure_future(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def _connected(self) -> Any:
        """Ray, connected through the head's machine or through a node of our own that has no slots."""
        ray = load_ray()
        if ray.is_initialized():
            return ray
        host, _ = split_address(self._address)
        if not await asyncio.to_thread(answers, self._address):
            raise InputError(
                f"--address {self._address}: nothing listens there. `maxcode worker --head` starts a head."
            )
        folder = None
        if not is_here(host):
            node = RayNode(Joining(name=f"run-{new_name()}", address=self._address))
            self._stack.callback(node.stop)
            await asyncio.to_thread(node.wait_until_up)
            folder = node.folder
        await asyncio.to_thread(connect, self._address, folder)
        self._stack.callback(ray.shutdown)
        return ray

    async def _evaluate(self, task: Task, request: Request) -> Outcome:
        kept = self._use_cache and request.keepable and task.kind.same_on_nodes
        place = await self._slots.place(task.kind.nodes(task)) if kept else None
        key = _key(task, request, place) if place else None
        return await kept_outcome(key, lambda: self._steadiest(task, request))

    async def _steadiest(self, task: Task, request: Request) -> tuple[Outcome, bool]:
        """The outcome, measured again while there is doubt about it; and whether there still is."""
        found: list[tuple[float, Outcome]] = []
        avoid: set[str] = set()
        for _ in range(1 + MOST_REPEATS):
            node, reply = await self._ask(task, request, avoid)
            outcome = reply.outcome
            assert outcome is not None
            reason = doubt(outcome, reply.health, (info.health for info in self.nodes if info.place == node.info.place))
            if reason is None:
                return outcome, False
            node.doubt()
            avoid.add(node.name)
            m = outcome.measurement
            found.append(((spread(m) or inf) if m else inf, _noted(outcome, reason)))
        return min(found, key=lambda each: each[0])[1], True

    async def _ask(
        self, task: Task, request: Request, avoid: set[str], *, only_noise: bool = False
    ) -> tuple[RemoteNode, NodeReply]:
        """The reply of the first node that gives one, and that node."""
        bundle, reference = await self._bundle(task)
        order = Order(
            bundle=bundle.id,
            folder=bundle.folder,
            changes=task.changes,
            task_hash=task.hash,
            request=request,
            only_noise=only_noise,
        )
        whole = request.mode is Mode.CONFIRM or task.limits.cpus > 1
        lost: list[str] = []
        faults: list[str] = []
        avoid = set(avoid)
        while len(lost) < MOST_LOST and len(faults) < MOST_FAULTS:
            if lost or faults:
                await asyncio.sleep(min(BACKOFF * 2 ** len(lost), LONGEST_BACKOFF))
            async with self._slots.take(task.kind.nodes(task), whole=whole, avoid=avoid) as node:
                avoid.add(node.name)
                try:
                    reply = await node.ask(order, reference, _deadline(task))
                except Lost as error:
                    lost.append(str(error))
                    self._slots.drop(node)
                    continue
            if reply.fault is None:
                return node, reply
            if reply.fault == "input":
                raise InputError(reply.error or "")
            if reply.fault == "evaluator":
                faults.append(f"{node.name}: {reply.error}")
            else:
                lost.append(f"{node.name}: {reply.error}")
                self._slots.drop(node)
        raise EvaluatorError("; ".join(faults) if len(faults) == MOST_FAULTS else _gave_up(lost))

    async def _bundle(self, task: Task) -> tuple[Bundle, Any]:
        """The task as one value, put into Ray's object store once."""
        if task.hash not in self._bundles:
            bundle = await asyncio.to_thread(pack, task)
            while len(self._bundles) >= MOST_BUNDLES:
                self._bundles.pop(next(iter(self._bundles)))
            if task.hash not in self._bundles:  # somebody else may have packed it meanwhile
                self._bundles[task.hash] = (bundle, self._ray.put(bundle))
        return self._bundles[task.hash]


def _key(task: Task, request: Request, place: NodeClass) -> str:
    """Everything that can change the outcome; the place holds the machine class, the toolchain and the evaluator."""
    asked = f"{request.sanitize} {request.profile} {request.measure}"
    return content_hash("cluster", request.candidate.id, task.hash, place.model_dump_json(), asked)


def _deadline(task: Task) -> float:
    return max(LEAST_DEADLINE, DEADLINE_RUNS * task.limits.seconds)


def _noted(outcome: Outcome, reason: str) -> Outcome:
    m = outcome.measurement
    if m is None:
        return outcome
    words = f"measured {1 + MOST_REPEATS} times, each time in doubt: {reason}"
    noted = m.model_copy(update={"note": f"{m.note}; {words}" if m.note else words})
    return outcome.model_copy(update={"measurement": noted})


def _gave_up(lost: list[str]) -> str:
    return f"no node of the cluster has answered in {len(lost)} attempts; the last: {lost[-1]}"
