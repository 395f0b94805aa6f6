"""The observation: task, current program, and the blocks that a strategy switches on."""

from __future__ import annotations

from typing import Literal

from maxcode.core import Critique, Frozen, Outcome, Status
from maxcode.search.tree import Node, Tree
from maxcode.task.model import Task

Block = Literal["best", "trajectory", "critique", "examples"]
BLOCKS: tuple[Block, ...] = ("best", "trajectory", "critique", "examples")


class Attempt(Frozen):
    """A program and its outcome."""

    node: int
    depth: int
    files: dict[str, str]
    outcome: Outcome
    reward: float
    u: float
    critique: Critique | None = None
    origin: str | None = None
    """Policy that made it; for the rewriter's programs, the action."""

    @property
    def correct(self) -> bool:
        return self.outcome.status is Status.OK


class SolvedCase(Frozen):
    """A solved case from elsewhere: a program, a faster one, and by how much."""

    title: str
    before: str
    after: str
    speedup: float
    actions: str = ""
    """How the rewriter got there; empty where a model wrote it."""


class Observation(Frozen):
    """What a policy sees. A policy that is not a chat model reads this structure, never the rendered text."""

    task: Task
    current: Attempt
    best: Attempt | None = None
    trajectory: tuple[Attempt, ...] = ()
    """Ancestors of the current attempt, oldest first."""
    examples: tuple[SolvedCase, ...] = ()
    blocks: frozenset[Block] = frozenset()
    program: int = 0
    """Number in the run, from 0, of the first program that is asked for."""


def observe(
    tree: Tree, node: Node, blocks: frozenset[Block], examples: tuple[SolvedCase, ...] = (), *, program: int = 0
) -> Observation:
    """The observation of one node with the given blocks on."""
    with_critique = "critique" in blocks
    path = tree.path(node)[::-1]
    return Observation(
        task=tree.task,
        current=_attempt(tree, node, with_critique),
        best=_attempt(tree, tree.best, with_critique) if "best" in blocks else None,
        trajectory=tuple(_attempt(tree, each, with_critique) for each in path[:-1]) if "trajectory" in blocks else (),
        examples=examples if "examples" in blocks else (),
        blocks=blocks,
        program=program,
    )


def _attempt(tree: Tree, node: Node, with_critique: bool) -> Attempt:
    return Attempt(
        node=node.id,
        depth=node.depth,
        files=node.candidate.files,
        outcome=node.outcome,
        reward=node.reward,
        u=node.u,
        critique=tree.critique(node) if with_critique else None,
        origin=node.candidate.origin,
    )
