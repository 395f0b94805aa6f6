"""A run's view of one node: asking it, sending it tasks, noticing that it is gone."""

from __future__ import annotations

import asyncio
from typing import Any

from maxcode.core import InputError
from maxcode.evaluate.ray.join import NAMESPACE, PREFIX
from maxcode.evaluate.ray.node import NodeReply, Order
from maxcode.evaluate.ray.place import NodeInfo

SENDING_SECONDS = 300.0
LOOKING_SECONDS = 10.0
CANCEL_SECONDS = 3.0


class Lost(Exception):
    """Failure of a node, of its actor or of the way there. It says nothing about the program."""


class RemoteNode:
    """One node of the cluster, as far as this run knows it."""

    def __init__(self, ray: Any, handle: Any, info: NodeInfo) -> None:
        self._ray, self._handle = ray, handle
        self.info = info
        self._has: set[str] = set()
        self._sending = asyncio.Lock()

    @property
    def name(self) -> str:
        return self.info.name

    async def ask(self, order: Order, bundle: Any, seconds: float) -> NodeReply:
        """Reply of the node. The task is sent when the node does not have it. Lost when there is no reply in time."""
        reply: NodeReply = await self._answer(self._handle.ask.remote(order), seconds)
        if reply.fault == "unknown task":
            await self._send(order.bundle, bundle)
            reply = await self._answer(self._handle.ask.remote(order), seconds)
        if reply.health is not None:
            self.info = self.info.model_copy(update={"health": reply.health})
        return reply

    async def refresh(self) -> None:
        self.info = await self._answer(self._handle.describe.remote(), LOOKING_SECONDS)

    def doubt(self) -> None:
        """Asks the node to check its health, without waiting for it."""
        self._handle.look_again.remote()

    async def _send(self, bundle_id: str, bundle: Any) -> None:
        async with self._sending:
            if bundle_id in self._has:
                return
            problem = await self._answer(self._handle.take.remote(bundle), SENDING_SECONDS)
            if problem is not None:
                raise InputError(f"node {self.name} cannot keep the task: {problem}")
            self._has.add(bundle_id)

    async def _answer(self, reference: Any, seconds: float) -> Any:
        return await answer(self._ray, reference, seconds, self.name)


async def answer(ray: Any, reference: Any, seconds: float, name: str) -> Any:
    """Reply of an actor. The call is cancelled there when it is cancelled here, or late."""
    future = asyncio.wrap_future(reference.future())
    try:
        return await asyncio.wait_for(asyncio.shield(future), seconds)
    except TimeoutError:
        _cancel(ray, reference, future)
        raise Lost(f"{name}: no answer within {seconds:.0f} s") from None
    except asyncio.CancelledError:
        _cancel(ray, reference, future)
        await asyncio.wait([future], timeout=CANCEL_SECONDS)
        raise
    except ray.exceptions.RayError as error:
        raise Lost(f"{name}: {_first_line(error)}") from None


def _cancel(ray: Any, reference: Any, future: asyncio.Future[Any]) -> None:
    if ray.is_initialized():  # otherwise Ray would start a cluster of its own, to cancel it there
        ray.cancel(reference)
    future.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody else will look at it


def _first_line(error: Exception) -> str:
    words = (str(error).strip() or type(error).__name__).splitlines()[0]
    return f"{type(error).__name__}: {words}"[:300]


async def find_nodes(ray: Any, known: set[str]) -> list[RemoteNode]:
    """Nodes that joined and are not known yet; those that do not answer are left for the next time."""
    listed = await asyncio.to_thread(ray.util.list_named_actors, all_namespaces=True)
    names = [each["name"] for each in listed if each["namespace"] == NAMESPACE and each["name"].startswith(PREFIX)]
    new = [name for name in names if name.removeprefix(PREFIX) not in known]
    found = await asyncio.gather(*(_find_node(ray, name) for name in new))
    return [node for node in found if node is not None]


async def _find_node(ray: Any, name: str) -> RemoteNode | None:
    try:
        handle = await asyncio.to_thread(ray.get_actor, name, NAMESPACE)
        info = await answer(ray, handle.describe.remote(), LOOKING_SECONDS, name)
    except (Lost, ValueError):
        return None
    return RemoteNode(ray, handle, info)
