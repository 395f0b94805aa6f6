"""Demonstrations from recorded searches: the programs that a run found, with the rewriter's path to each."""

from __future__ import annotations

from collections.abc import Iterator

from maxcode.core import InputError
from maxcode.optimize.recorded import recorded_run
from maxcode.policy.rewrite.actions import read_action
from maxcode.search.tree import Node, Tree
from maxcode.store.journal import Store
from maxcode.train.grpo.prompts import compact
from maxcode.train.warmstart import Demonstration

REWRITER = "rewrite: "


def demonstrations_of(store: Store, run: str) -> Iterator[Demonstration]:
    """Demonstrations of a run on a kernel task: its correct programs with a higher reward than the baseline."""
    recorded = recorded_run(store, run)
    task = recorded.task
    if task.kind.entry(task) is None:
        raise InputError(f"run {run}: its task is of kind '{task.kind.name}'; a warm start needs runs on kernel tasks.")
    root = recorded.tree.root.reward
    for node in recorded.tree:
        measured = node.outcome.measurement
        if node.correct and measured is not None and node.reward > root:
            yield Demonstration(
                task=str(task.folder),
                names=_names(recorded.tree, node),
                program=compact(node.candidate.files[task.main_file]),
                reward=node.reward,
                gflops=measured.gflops,
            )


def _names(tree: Tree, node: Node) -> tuple[str, ...]:
    """Names of the transformations on the path to a node; empty where a step was not made by the rewriter."""
    origins = [each.candidate.origin or "" for each in reversed(tree.path(node)) if each.parent is not None]
    if not all(origin.startswith(REWRITER) for origin in origins):
        return ()
    return tuple(step.name for origin in origins for step in read_action(origin.removeprefix(REWRITER)))
