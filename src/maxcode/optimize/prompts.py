"""Prompts of recorded runs, made again from the journal."""

from __future__ import annotations

from typing import Literal

from maxcode.config import ModelSettings
from maxcode.core import InputError
from maxcode.optimize.recorded import Recorded, recorded_run
from maxcode.optimize.run import strategy_of
from maxcode.search.observe.observation import Observation, observe
from maxcode.search.observe.render import Message, Prompts, render, render_for_critic
from maxcode.search.tree import Node
from maxcode.store.journal import Store

Which = Literal["answered", "next", "critic"]


def prompt_of(
    store: Store, run_id: str, node: int, which: Which, prompts: Prompts, settings: ModelSettings
) -> list[Message]:
    """The prompt that a node answers, the one that asks for a program made from it, or what a critic is asked about it.

    The texts and the model's settings are those of today; what the prompt tells is as it was.
    """
    asked: list[Observation] = []
    recorded = recorded_run(store, run_id, asked.append)
    found = _node(recorded, node)
    if which == "critic":
        seen = observe(recorded.tree, found, frozenset({"best"}))
        return render_for_critic(seen, prompts, budget=settings.prompt_budget)
    observation = _following(recorded, found) if which == "next" else _answered(recorded, found, asked)
    return render(observation, prompts, form=settings.answer, budget=settings.prompt_budget)


def _node(recorded: Recorded, node: int) -> Node:
    if node >= len(recorded.tree):
        last = len(recorded.tree) - 1
        raise InputError(f"run {recorded.info.id}: has no node {node}; its nodes are 0 to {last} (`maxcode show`).")
    return recorded.tree.nodes[node]


def _following(recorded: Recorded, node: Node) -> Observation:
    strategy = strategy_of(recorded.settings)
    return observe(recorded.tree, node, strategy.blocks, best=strategy.best)


def _answered(recorded: Recorded, node: Node, asked: list[Observation]) -> Observation:
    """The last question whose programs begin at or before the node's."""
    if node.program is None:
        raise InputError(f"run {recorded.info.id}: node 0 is the original, which answers nothing; use --next.")
    program = node.program
    return max((each for each in asked if each.program <= program), key=lambda each: each.program)
