"""Training data from recorded trees: every state of every path, with the rewards that came after it.

A tree is grown again round by round, so that each state is what the search saw when it had to judge it: nothing of
what was found out later, not even the profile that a node gets because it was chosen, leaks into it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal

import numpy as np

from maxcode.core import Frozen, content_hash
from maxcode.search.mdp import TIE_REWARD, Return, reward, reward_to_go
from maxcode.search.rewards import rescore
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Node, Tree
from maxcode.value.state import State, proposed, state_of

Source = Literal["single-path", "on-policy"]
CUTS: dict[str, tuple[float, ...]] = {
    "kernelbench-1": (1.40, 3.20, 4.75),
    "kernelbench-2": (1.20, 1.70, 2.15),
    "pie": (1.25, 1.80, 2.60),
}
"""The paper's cuts (speedups) between the classes 1 to 4. Class 0 is wrong or no faster than the baseline."""
MOST_AFTER = 64
"""Number of later rewards that a row keeps."""


class Target(Frozen):
    """Quantity that a model predicts, computed from the rewards that came after a state."""

    budget: int | None = 3
    """Number of later programs that count, so that states are compared at equal budget. None: all of them."""
    returns: Return = "max"
    whole_path: bool = False
    """Whether the best reward on the path so far counts too."""


STATE_TARGET = Target()
SCREEN_TARGET = Target(budget=1)
"""Target of proposals: the first reward after it, which is the proposal's own."""


class StateRow(State):
    """A state with its origin and the rewards that followed."""

    run: str
    node: int
    program: str = ""
    """Hash of the task's original program. Tasks of different names may have the same one."""
    siblings: str
    """Key of a group of states among which a search had to choose; equal within the group."""
    policy: str
    strategy: str
    source: Source
    after: tuple[float, ...]
    """Rewards of the programs that came after, in order. For a masked state its own reward comes first."""
    future: float | None = None
    """Best of all rewards in `after`; None where there are none."""
    future_equal: float | None = None
    """Best of the first rewards in `after`, as many as the target's budget; None where fewer came."""
    label: int | None = None
    """Class of `future_equal`, 0 to 4."""
    split: Literal["train", "held-out"] = "train"
    repeated: bool = False
    """Whether an earlier row has an equal state and equal rewards: seeds often take the same steps. Such a row is not
    trained on and not ranked, but it still counts as a sibling of others."""
    tokens: int = 0
    """Estimate of the text's length."""

    @property
    def origin(self) -> str:
        """Key for the split: all rows of one origin are trained on, or all are held out."""
        return self.program or self.task

    @property
    def family(self) -> str:
        return family_of(self.task)


def family_of(task: str) -> str:
    """Family of a task: its name without a number at the end, which only tells variants apart."""
    return re.sub(r"-\d+$", "", task)


def target_of(row: StateRow, target: Target) -> float | None:
    """The figure to predict; None where the row does not have as many rewards as it takes."""
    after = row.after[: target.budget]
    if not after or (target.budget is not None and len(after) < target.budget):
        return None
    reached = reward_to_go(after, target.returns)
    return max(row.u, reached) if target.whole_path else reached


def rows_of(tree: Tree, strategy: Strategy, *, run: str, policy: str, text: bool) -> Iterator[StateRow]:
    """The rows of one recorded search, masked and unmasked.

    All rewards are the posterior's, however the search itself ranked programs: the tree's are set anew. Those in
    `after` rest on all that was measured, those of a state on the programs up to then.
    """
    source: Source = "single-path" if strategy.single_path else "on-policy"
    rescore(tree)
    after = _after(tree)

    def row(state: State, node: Node, rewards: Sequence[float]) -> StateRow:
        place = f"{run}/{node.parent}" + ("" if source == "single-path" else f"/{node.step}")
        return StateRow(
            **state.model_dump(),
            run=run,
            node=node.id,
            program=tree.root.candidate.id,
            siblings=place,
            policy=policy,
            strategy=strategy.name,
            source=source,
            after=tuple(rewards[:MOST_AFTER]),
        )

    first = state_of(_begun(tree), tree.root, text=text)
    starts = tree.children(tree.root) if source == "single-path" else []
    for rewards in [[each.reward, *after[each.id]] for each in starts] or [after[0]]:
        yield row(first, tree.root, rewards)
    for past, node, ran in _growth(tree, strategy):
        if ran:
            yield row(state_of(past, past.nodes[node.id], text=text), node, after[node.id])
        elif node.candidate.files:
            parent = past.nodes[node.parent or 0]
            state = proposed(past, parent, node.candidate, text=text)
            yield row(state, node, [node.reward, *after[node.id]])


def _growth(tree: Tree, strategy: Strategy) -> Iterator[tuple[Tree, Node, bool]]:
    """Each node twice, with the tree as it was then: before it was run (False), and when it was judged (True)."""
    past = _begun(tree)
    for _, group in groupby(tree.nodes[1:], key=lambda node: node.step):
        made = list(group)
        rescore(past)
        for expanded in sorted({node.parent or 0 for node in made}):
            _annotate(past, tree, expanded)
        for node in made:
            yield past, node, False
        for node in made:
            bare = node.outcome.model_copy(update={"facts": ()})
            parent = past.nodes[node.parent or 0]
            past.add(parent, node.candidate, bare, reward(bare), step=node.step, island=node.island)
            if strategy.critique == "all":
                _annotate(past, tree, node.id)
        for node in made:
            yield past, node, True


def _begun(tree: Tree) -> Tree:
    outcome = tree.root.outcome.model_copy(update={"facts": ()})
    return Tree(tree.task, outcome, tree.root.reward, returns=tree.returns, gamma=tree.gamma)


def _annotate(past: Tree, tree: Tree, node: int) -> None:
    """Adds the profile and the critique that a node got when it was expanded."""
    past.annotate(past.nodes[node], tree.nodes[node].outcome.facts)
    if node in tree.critiques:
        past.critiques[node] = tree.critiques[node]


def _after(tree: Tree) -> list[list[float]]:
    """Rewards of each node's descendants, in the order they were made."""
    found: list[list[float]] = [[] for _ in tree]
    for node in tree.nodes[1:]:
        for ancestor in tree.path(node)[1:]:
            found[ancestor.id].append(node.reward)
    return found


def with_repeats_marked(rows: Iterable[StateRow]) -> list[StateRow]:
    met: set[str] = set()
    found = []
    for row in rows:
        after = row.after[: SCREEN_TARGET.budget] if row.masked else row.after
        figures = repr((row.origin, row.masked, row.depth, row.u, row.reward, row.source, after))
        key = content_hash(figures, repr(sorted(row.features.items())), row.text)
        found.append(row.model_copy(update={"repeated": key in met}))
        met.add(key)
    return found


def labelled(
    rows: Sequence[StateRow], *, cuts: tuple[float, ...] | None, held_out: float, by: Literal["task", "family"]
) -> list[StateRow]:
    """Rows with futures, classes and the split.

    Cuts, unless given, are quartiles of what was correct and faster among the rows to train on, apart for states and
    for proposals: a proposal is one program, a state's future the best of several.
    """
    splits = [split_of(row.origin if by == "task" else row.family, held_out) for row in rows]
    targets = [target_of(row, SCREEN_TARGET if row.masked else STATE_TARGET) for row in rows]
    known = list(zip(rows, targets, splits, strict=True))
    chosen = {
        masked: cuts or quartiles([t for row, t, split in known if t and row.masked == masked and split == "train"])
        for masked in (False, True)
    }
    return [
        row.model_copy(
            update={
                "future": target_of(row, Target(budget=None)),
                "future_equal": target,
                "label": None if target is None else class_of(target, chosen[row.masked]),
                "split": split,
            }
        )
        for row, target, split in known
    ]


def quartiles(targets: Sequence[float]) -> tuple[float, ...]:
    faster = [target for target in targets if target > TIE_REWARD]
    return tuple(float(cut) for cut in np.quantile(faster, [0.25, 0.5, 0.75])) if faster else CUTS["pie"]


def class_of(reward: float, cuts: Sequence[float]) -> int:
    """Class of a reward: 0 for wrong or no faster than a tie; else 1, and one more for each cut that it exceeds."""
    return 0 if reward <= TIE_REWARD else 1 + sum(reward > cut for cut in cuts)


def split_of(name: str, held_out: float) -> Literal["train", "held-out"]:
    """Split by a hash of the name: the same for all rows of that name, in every file."""
    return "held-out" if int(content_hash("split", name), 16) % 1000 < held_out * 1000 else "train"
