"""Slots of the nodes that a search may use, shared out as they become free.

An evaluation that needs a whole machine counts as all of a node's slots: nothing more goes there until it is done.
Waiting evaluations are woken when a slot comes free. Nodes that join later are found while an evaluation waits.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from maxcode.core import EvaluatorError, InputError
from maxcode.evaluate.ray.place import ChosenNodes, NodeClass, NodeInfo, choose, this_evaluator
from maxcode.evaluate.ray.reference import SLOW
from maxcode.evaluate.ray.remote import Lost, RemoteNode, find_nodes
from maxcode.task.kind import NodeKind

LOOK_EVERY = 3.0
"""Seconds between two searches for new nodes, while an evaluation waits."""


class Slots:
    def __init__(self, ray: Any, patience: float, wanted: str | None, say: Callable[[str], None]) -> None:
        self._ray, self._patience, self._wanted, self._say = ray, patience, wanted, say
        self._nodes: dict[str, RemoteNode] = {}
        self._load: dict[str, int] = {}
        self._choices: dict[tuple[NodeKind, ...], ChosenNodes] = {}
        self._changed = asyncio.Event()
        self._looking = asyncio.Lock()
        self._looked = 0.0

    @property
    def nodes(self) -> list[NodeInfo]:
        return [node.info for node in self._nodes.values()]

    def usable(self, kinds: tuple[NodeKind, ...]) -> list[RemoteNode]:
        """Nodes of the place that searches on these kinds stay with; it is chosen once and for all."""
        if kinds not in self._choices:
            choice = choose((info for info in self.nodes if not info.leaving), kinds, self._wanted)
            if choice is None:
                return []
            self._choices[kinds] = choice
            if choice.unused:
                self._say(choice.unused)
        choice = self._choices[kinds]
        return [
            node
            for node in self._nodes.values()
            if node.info.kind == choice.kind and node.info.place == choice.place and not node.info.leaving
        ]

    async def any_node(self) -> None:
        """Waits until a node has joined. EvaluatorError when none does."""
        await self._waited((), lambda _: next(iter(self._nodes.values()), None))

    async def place(self, kinds: tuple[NodeKind, ...]) -> NodeClass:
        """Place in which these kinds of tasks are judged."""
        return (await self._waited(kinds, lambda nodes: next(iter(nodes), None))).info.place

    @asynccontextmanager
    async def take(self, kinds: tuple[NodeKind, ...], *, whole: bool, avoid: set[str]) -> AsyncIterator[RemoteNode]:
        """Takes a slot of the least loaded node, or a whole node.

        Nodes in `avoid` are used only where there is no other.
        """

        def free(nodes: list[RemoteNode]) -> RemoteNode | None:
            preferred = [node for node in nodes if node.name not in avoid] or nodes
            return min((n for n in preferred if self._has_room(n, whole)), key=self._burden, default=None)

        node = await self._waited(kinds, free)
        weight = node.info.slots if whole else 1
        self._load[node.name] = self._load.get(node.name, 0) + weight
        try:
            yield node
        finally:
            self._load[node.name] -= weight
            self._wake()

    def drop(self, node: RemoteNode) -> None:
        """Forgets a node that is gone. When it comes back it is found as a new one."""
        self._nodes.pop(node.name, None)
        self._looked = 0.0
        self._wake()

    def _has_room(self, node: RemoteNode, whole: bool) -> bool:
        """True if the node has room. A whole machine may be taken while others finish there; the node waits for
        those."""
        load = self._load.get(node.name, 0)
        return load <= node.info.slots if whole and node.info.slots > 1 else load < node.info.slots

    def _burden(self, node: RemoteNode) -> tuple[bool, float]:
        return self._is_slow(node.info), self._load.get(node.name, 0) / node.info.slots

    def _is_slow(self, info: NodeInfo) -> bool:
        alike = [each.health.seconds for each in self.nodes if each.place == info.place and each.health]
        return info.health is not None and info.health.seconds > SLOW * min(alike)

    async def _waited(
        self, kinds: tuple[NodeKind, ...], pick: Callable[[list[RemoteNode]], RemoteNode | None]
    ) -> RemoteNode:
        since = time.monotonic()
        while True:
            if not self._nodes or time.monotonic() - self._looked > LOOK_EVERY:
                await self._look()
            nodes = self.usable(kinds)
            if (node := pick(nodes)) is not None:
                return node
            if nodes:
                since = time.monotonic()
            elif time.monotonic() - since > self._patience:
                raise self._nobody(kinds)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), LOOK_EVERY)

    async def _look(self) -> None:
        """Finds new nodes, and drops idle ones that do not answer. One caller does so; the others wait for it."""
        async with self._looking:
            if self._nodes and time.monotonic() - self._looked <= LOOK_EVERY:
                return
            for node in await find_nodes(self._ray, set(self._nodes)):
                self._nodes[node.name] = node
            idle = [node for node in self._nodes.values() if not self._load.get(node.name)]
            for node, gone in zip(idle, await asyncio.gather(*map(_is_gone, idle)), strict=True):
                if gone:
                    self._nodes.pop(node.name, None)
            self._looked = time.monotonic()
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _nobody(self, kinds: tuple[NodeKind, ...]) -> Exception:
        if kinds in self._choices:
            machine = self._choices[kinds].place.machine
            return EvaluatorError(
                f"for {self._patience:.0f} s there was no node of {machine} in the cluster, and one search stays with "
                "one class of machines. It can be resumed when they are back."
            )
        there = [f"{i.name}: {i.kind}, {i.place.machine}, MaxCode {i.place.evaluator}" for i in self.nodes]
        wanted = f"{' or '.join(kinds)} node" + (f" of class '{self._wanted}'" if self._wanted else "")
        return InputError(
            f"the cluster has no {wanted} with MaxCode {this_evaluator()}; waited {self._patience:.0f} s. Join one: "
            f"maxcode worker --address HOST:PORT. There are: {'; '.join(there) or 'none at all'}."
        )


async def _is_gone(node: RemoteNode) -> bool:
    try:
        await node.refresh()
    except Lost:
        return True
    return False
