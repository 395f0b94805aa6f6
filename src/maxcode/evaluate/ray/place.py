"""Place of an outcome: what it depends on besides task and program, and which nodes one search may use.

Timings of different machines, or of programs that different compilers made, cannot be compared. So a search stays with
nodes of one place. Nodes of other places stay unused by it, and that is said.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import maxcode
from maxcode.core import Frozen, content_hash
from maxcode.evaluate.gpu import gpus, torch_version
from maxcode.evaluate.machine import machine_class
from maxcode.evaluate.sandbox.protections import protections
from maxcode.evaluate.stages import EVALUATOR_VERSION
from maxcode.evaluate.toolchain import toolchain
from maxcode.task.kind import NodeKind

JUDGING = ("core.py", "home.py", "evaluate", "kinds", "task")
"""Files and folders of MaxCode that verdicts depend on."""


class NodeClass(Frozen):
    """Everything that an outcome depends on besides task and program: part of every key, and alike on all nodes of a
    search."""

    machine: str
    toolchain: str
    protections: str
    devices: str
    evaluator: str


class NodeHealth(Frozen):
    """Figures of a node on the reference program: its speed, and the spread of the ratio between two equal runs."""

    seconds: float
    spread: float
    at: float
    """Time of the measurement, in seconds since 1970."""


class NodeInfo(Frozen):
    name: str
    host: str
    kind: NodeKind
    slots: int
    place: NodeClass
    health: NodeHealth | None = None
    leaving: bool = False


def this_place() -> NodeClass:
    return NodeClass(
        machine=machine_class(),
        toolchain=toolchain().id,
        protections=str(protections()),
        devices=f"{gpus()} torch {torch_version()}",
        evaluator=this_evaluator(),
    )


@cache
def this_evaluator() -> str:
    """Version and hash of the code that judges: nodes with another MaxCode could judge otherwise."""
    folder = Path(maxcode.__file__).parent
    files = sorted(p for name in JUDGING for p in _sources(folder / name))
    code = content_hash(*(part for p in files for part in (str(p.relative_to(folder)), p.read_bytes())))
    return f"{EVALUATOR_VERSION} {code[:12]}"


def _sources(path: Path) -> Iterable[Path]:
    return [path] if path.is_file() else (p for p in path.rglob("*") if p.suffix in (".py", ".c", ".h", ".toml"))


def new_name() -> str:
    """Name for a new node. One machine may have several, one after the other or at once."""
    return f"{socket.gethostname()}-{os.getpid()}"


class ChosenNodes(Frozen):
    """The place that a search stays with, and what to say about nodes that it leaves unused."""

    kind: NodeKind
    place: NodeClass
    unused: str | None = None


def choose(nodes: Iterable[NodeInfo], kinds: tuple[NodeKind, ...], wanted: str | None = None) -> ChosenNodes | None:
    """The place with the most slots, or of the class that is wanted; None where no node fits."""
    nodes = sorted(nodes, key=lambda node: node.name)
    known = [node for node in nodes if node.place.evaluator == this_evaluator()]
    for kind in kinds:
        groups: dict[NodeClass, list[NodeInfo]] = {}
        for node in known:
            if node.kind == kind and (wanted is None or wanted == node.place.machine):
                groups.setdefault(node.place, []).append(node)
        if groups:
            place = max(groups, key=lambda each: sum(node.slots for node in groups[each]))
            return ChosenNodes(kind=kind, place=place, unused=_unused(nodes, kind, place))
    return None


def _unused(nodes: list[NodeInfo], kind: NodeKind, place: NodeClass) -> str | None:
    words = [
        f"{node.name} ({node.slots} slots: {_difference(node, kind, place)})"
        for node in nodes
        if node.kind != kind or node.place != place
    ]
    return f"unused, since a comparison stays within one class of machines: {', '.join(words)}" if words else None


def _difference(node: NodeInfo, kind: NodeKind, place: NodeClass) -> str:
    if node.place.evaluator != place.evaluator:
        return "another version of MaxCode; install the same everywhere"
    if node.kind != kind:
        return f"a {node.kind.upper()} node"
    if node.place.machine != place.machine:
        return node.place.machine
    names = {"toolchain": "other compilers", "protections": "another sandbox", "devices": "another torch or GPU"}
    return ", ".join(words for name, words in names.items() if getattr(node.place, name) != getattr(place, name))
