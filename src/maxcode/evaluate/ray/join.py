"""`maxcode worker`: this machine as a node of the cluster, from joining to leaving in good order."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from maxcode.core import EvaluatorError, Frozen, InputError
from maxcode.evaluate.gpu import gpus
from maxcode.evaluate.machine import usable_cpus
from maxcode.evaluate.ray.node import NodeActor
from maxcode.evaluate.ray.place import NodeInfo, new_name
from maxcode.evaluate.ray.runtime import (
    DEFAULT_PORT,
    Joining,
    RayNode,
    answers,
    connect,
    ensure_token,
    free_port,
    load_ray,
    started,
)
from maxcode.task.kind import NodeKind

NAMESPACE = "maxcode"
PREFIX = "maxcode-node-"
UP_SECONDS = 120.0


class Membership(Frozen):
    """Settings by which this machine takes part in the cluster."""

    address: str | None = None
    """HOST:PORT of the head; None if this machine is the head."""
    host: str | None = None
    """Address of this machine, head or node, as the others reach it."""
    port: int = DEFAULT_PORT
    slots: int | None = None
    """Measuring slots; one per usable CPU when None, and 0 for a machine on which nothing is measured."""
    kind: NodeKind | None = None
    machine_class: str | None = None
    drain: float = 60.0
    """Seconds that evaluations under way get when the node is told to leave."""
    memory_mb: int = 200

    def joining(self, name: str, slots: int, kind: NodeKind) -> Joining:
        return Joining(
            name=name,
            address=self.address,
            host=self.host,
            port=self.port or free_port(),
            resources={f"maxcode_{kind}": slots} if slots else {},
            memory_mb=self.memory_mb,
            variables={"MAXCODE_MACHINE_CLASS": self.machine_class} if self.machine_class else {},
        )


class Joined(Frozen):
    """Message for the user once the node can be used."""

    address: str
    node: NodeInfo | None = None


class _Signalled(Exception):
    """A signal has asked us to leave."""


def serve(membership: Membership, say: Callable[[Joined], None]) -> None:
    """Takes part until SIGINT or SIGTERM. EvaluatorError when Ray ends before that, such as with the head."""
    slots, kind = _slots(membership.slots), membership.kind or ("gpu" if gpus() else "cpu")
    if membership.address is None:
        ensure_token()
    elif not answers(membership.address):
        raise InputError(f"--address {membership.address}: nothing listens there. `maxcode worker --head` starts one.")
    load_ray()
    joining = membership.joining(new_name(), slots, kind)
    address = membership.address or f"{membership.host or '127.0.0.1'}:{joining.port}"
    with suppress(_Signalled), _raising_at_signals(), started(joining) as runtime:
        _take_part(
            runtime, address, membership.drain, partial(_start_actor, name=joining.name, kind=kind, slots=slots), say
        )


def _take_part(
    runtime: RayNode, address: str, drain: float, start: Callable[[Any], Any], say: Callable[[Joined], None]
) -> None:
    ray = connect(address, runtime.folder)
    node = None
    try:
        with _raising_at_signals():  # Ray has put its own handler in place of ours
            node = start(ray)
            say(Joined(address=address, node=ray.get(node.describe.remote(), timeout=UP_SECONDS) if node else None))
            runtime.ended.wait()
        raise EvaluatorError(f"Ray has ended on this machine: the cluster at {address} is gone, or its head.")
    except _Signalled:
        if node is not None:
            _leave(ray, node, drain)
        raise
    finally:
        ray.shutdown()


@contextmanager
def _raising_at_signals() -> Iterator[None]:
    """Raises _Signalled at the first signal; later ones change nothing."""

    def leave(*_: object) -> None:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_IGN)
        raise _Signalled

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, leave)
    yield


def _slots(wanted: int | None) -> int:
    there = len(usable_cpus())
    if wanted is not None and wanted > there:
        raise InputError(f"--slots {wanted}: only {there} CPUs are usable here; a slot is a CPU of its own.")
    return there if wanted is None else wanted


def _start_actor(ray: Any, *, name: str, kind: NodeKind, slots: int) -> Any:
    """Starts the actor on this node, with all its slots, so that nothing else is placed on them; None without slots."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    if not slots:
        return None
    here = ray.get_runtime_context().get_node_id()
    options = {
        "name": f"{PREFIX}{name}",
        "namespace": NAMESPACE,
        "num_cpus": 0,
        "resources": {f"maxcode_{kind}": slots},
        "max_restarts": -1,
        "scheduling_strategy": NodeAffinitySchedulingStrategy(here, soft=False),
    }
    return ray.remote(NodeActor).options(**options).remote(name, kind, slots)


def _leave(ray: Any, node: Any, drain: float) -> None:
    try:
        ray.get(node.leave.remote(drain), timeout=drain + 30)
    except ray.exceptions.RayError:
        pass
