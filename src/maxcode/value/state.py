"""A state as models see it, made by the same code in a search and in training data."""

from __future__ import annotations

from maxcode.core import Candidate, Frozen
from maxcode.observe.observation import Block, observe
from maxcode.observe.render import Prompts, render
from maxcode.tree import Node, Tree
from maxcode.value.features import Features, log_reward, proposal_features, state_features

TEXT_BUDGET = 6000
"""Tokens of a state's text: what small models can read."""


class State(Frozen):
    """A program in its place in a tree: with what became of it, or masked, before it was run."""

    task: str
    masked: bool
    depth: int
    u: float
    """Best reward on the path; of a masked state, up to the parent."""
    reward: float | None
    """Own reward; None where it is masked."""
    features: Features
    text: str = ""
    """What a policy would be shown; empty where no model reads it."""


def greedy_score(state: State) -> float:
    """What greed goes by: the state's own reward; before it has run, its parent's."""
    return log_reward(state.reward) if state.reward is not None else state.features.get("parent:reward", 0.0)


def state_of(tree: Tree, node: Node, blocks: frozenset[Block], prompts: Prompts | None) -> State:
    """The state of a node that has been run; without text when there are no prompts."""
    return State(
        task=tree.task.name,
        masked=False,
        depth=node.depth,
        u=node.u,
        reward=node.reward,
        features=state_features(tree, node),
        text=_shown(tree, node, blocks, prompts) if prompts else "",
    )


def proposed(
    tree: Tree, parent: Node, candidate: Candidate, blocks: frozenset[Block], prompts: Prompts | None
) -> State:
    """The state that a program would be, as far as it is known before it is run."""
    text = ""
    if prompts:
        files = "\n".join(f"{name}:\n```\n{code.rstrip()}\n```" for name, code in candidate.files.items())
        text = f"{_shown(tree, parent, blocks, prompts)}\n\n## Proposed program, not run yet\n{files}"
    return State(
        task=tree.task.name,
        masked=True,
        depth=parent.depth + 1,
        u=parent.u,
        reward=None,
        features=proposal_features(tree, parent, candidate),
        text=text,
    )


def _shown(tree: Tree, node: Node, blocks: frozenset[Block], prompts: Prompts) -> str:
    """The user's message; examples of other tasks say nothing of this state."""
    observation = observe(tree, node, blocks - {"examples"})
    return render(observation, prompts, budget=TEXT_BUDGET)[1]["content"]
