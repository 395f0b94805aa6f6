"""The observation: task, original and current program, and the blocks that a strategy switches on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from maxcode.core import Critique, Frozen, Outcome, Status
from maxcode.search.observe.rationale import rationale
from maxcode.search.tree import Node, Tree
from maxcode.task.model import Task

Block = Literal["best", "trajectory", "critique", "attempts", "examples"]
BLOCKS: tuple[Block, ...] = ("best", "trajectory", "critique", "attempts", "examples")
BestOf = Literal["tree", "path"]
"""Whose best program is shown: that of the whole tree, or that of the way to the current program."""
MOST_TRIED = 40
"""Other programs that an observation has."""


class Attempt(Frozen):
    """A program and its outcome."""

    node: int
    depth: int
    files: dict[str, str]
    """Empty where the answer had no program in it."""
    outcome: Outcome
    reward: float
    u: float
    critique: Critique | None = None
    origin: str | None = None
    """Policy that made it; for the rewriter's programs, the action."""
    rationale: str = ""
    """What its maker said of it; empty where it said nothing."""
    answer: str = ""
    """Text of the answer, if it had no program in it."""

    @property
    def correct(self) -> bool:
        return self.outcome.status is Status.OK


class Tried(Frozen):
    """A program that is told of in one line."""

    node: int
    parent: int
    rationale: str
    outcome: Outcome
    again: tuple[int, ...] = ()
    """Later nodes with the same program."""


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
    original: Attempt | None = None
    """The program to make faster; always there in a search."""
    before: Attempt | None = None
    """The program that the current one was made from."""
    best: Attempt | None = None
    trajectory: tuple[Attempt, ...] = ()
    """Ancestors of the current attempt, oldest first."""
    tried: tuple[Tried, ...] = ()
    """Other programs: those made from the current one, its siblings, and the rest, the fastest first."""
    examples: tuple[SolvedCase, ...] = ()
    blocks: frozenset[Block] = frozenset()
    program: int = 0
    """Number in the run, from 0, of the first program that is asked for."""


def observe(
    tree: Tree,
    node: Node,
    blocks: frozenset[Block],
    examples: tuple[SolvedCase, ...] = (),
    *,
    best: BestOf = "tree",
    program: int = 0,
) -> Observation:
    """The observation of one node with the given blocks on."""
    with_critique = "critique" in blocks
    path = tree.path(node)[::-1]
    fastest = tree.best if best == "tree" else max(path, key=lambda each: (each.reward, -each.depth))
    return Observation(
        task=tree.task,
        current=_attempt(tree, node, with_critique),
        original=_attempt(tree, tree.root, with_critique),
        before=_attempt(tree, path[-2], with_critique) if len(path) > 1 else None,
        best=_attempt(tree, fastest, with_critique) if "best" in blocks else None,
        trajectory=tuple(_attempt(tree, each, with_critique) for each in path[:-1]) if "trajectory" in blocks else (),
        tried=tuple(_tried(tree, node, {each.id for each in path})) if "attempts" in blocks else (),
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
        rationale=rationale(node.answer),
        answer="" if node.candidate.files else node.answer,
    )


def _tried(tree: Tree, node: Node, path: Iterable[int]) -> list[Tried]:
    """Programs beside the path, each once: those nearest to the node first, then the fastest."""
    same: dict[str, list[Node]] = {}
    for each in tree.nodes[1:]:
        same.setdefault(each.candidate.id if each.candidate.files else f"none {each.id}", []).append(each)
    others = [group for group in same.values() if not any(each.id in path for each in group)]

    def nearness(group: list[Node]) -> tuple[int, float, int]:
        parents = {each.parent for each in group}
        return (0 if node.id in parents else 1 if node.parent in parents else 2, -group[0].reward, group[0].id)

    return [_in_short(group) for group in sorted(others, key=nearness)[:MOST_TRIED]]


def _in_short(group: list[Node]) -> Tried:
    first, *more = group
    assert first.parent is not None
    words = rationale(first.answer) or (first.candidate.origin or "")
    outcome = first.outcome.model_copy(update={"facts": ()})
    return Tried(
        node=first.id, parent=first.parent, rationale=words, outcome=outcome, again=tuple(each.id for each in more)
    )
