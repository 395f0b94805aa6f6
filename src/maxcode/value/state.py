"""A state as models see it, made by the same code in a search and in training data."""

from __future__ import annotations

from maxcode.core import Candidate, Frozen
from maxcode.search.tree import Node, Tree
from maxcode.value.features import Features, log_reward, proposal_features, state_features
from maxcode.value.text import proposal_text, state_text


class State(Frozen):
    """A program at its place in a tree, with its outcome; or masked, as it was before it was run."""

    task: str
    masked: bool
    depth: int
    u: float
    """Best reward on the path, this state included; up to its parent where it is masked."""
    reward: float | None
    """Own reward; None where it is masked."""
    features: Features
    text: str = ""
    """The state in words; empty where no model reads it."""


def greedy_score(state: State) -> float:
    """Log of the state's own reward, or of its parent's before it has run."""
    return log_reward(state.reward) if state.reward is not None else state.features.get("parent:reward", 0.0)


def state_of(tree: Tree, node: Node, *, text: bool) -> State:
    """The state of a node that has been run; with its text where it will be read."""
    return State(
        task=tree.task.name,
        masked=False,
        depth=node.depth,
        u=node.u,
        reward=node.reward,
        features=state_features(tree, node),
        text=state_text(tree, node) if text else "",
    )


def proposed(tree: Tree, parent: Node, candidate: Candidate, *, text: bool) -> State:
    """The state that a program would be, as far as it is known before it is run."""
    return State(
        task=tree.task.name,
        masked=True,
        depth=parent.depth + 1,
        u=parent.u,
        reward=None,
        features=proposal_features(tree, parent, candidate),
        text=proposal_text(tree, parent, candidate) if text else "",
    )
