"""A state in words, for models that read: the same whatever a strategy shows to its policy.

What matters most comes last, because models that read little are given the end of it: the program, the change that
made it, what was said of its parent, the rewards on the path, and what became of it.
"""

from __future__ import annotations

import difflib

from maxcode.core import Candidate
from maxcode.search.observe.feedback import feedback
from maxcode.search.observe.fitting import CHARACTERS_PER_TOKEN
from maxcode.search.tree import Node, Tree

TEXT_BUDGET = 6000
"""Tokens of a state's text: what small models can read."""
MOST_CHANGES = 60
"""Lines of a change that are shown: of a longer one, the first and the last. Long changes are mostly library code."""


def state_text(tree: Tree, node: Node) -> str:
    """Text of a program that has been run. Its own profile is not in it: that is made only when it is expanded."""
    parent = tree.parent(node)
    critique = tree.critique(node)
    outcome = ["## What became of it", feedback(node.outcome)]
    if critique:
        outcome.append(f"Review: {critique.text}")
    return _joined(_program(tree, node.candidate, parent), _path(tree, node, node.candidate), outcome)


def proposal_text(tree: Tree, parent: Node, candidate: Candidate) -> str:
    """Text of a program that has not been run: all but its outcome."""
    return _joined(_program(tree, candidate, parent), _path(tree, parent, candidate))


def _joined(*parts: list[str]) -> str:
    text = "\n".join(line for part in parts for line in part)
    return text[-int(TEXT_BUDGET * CHARACTERS_PER_TOKEN) :]


def _program(tree: Tree, candidate: Candidate, parent: Node | None) -> list[str]:
    task = tree.task
    first = f"# {task.name} ({task.language.value} {task.kind.name}, judged by {task.objective.metric})"
    lines = [first, task.description, "## Program", *(_file(name, text) for name, text in candidate.files.items())]
    if parent is None:
        return lines
    lines += ["## What was changed", *_changes(parent.candidate, candidate), "## What it was made from"]
    critique = tree.critique(parent)
    if critique is None:
        return [*lines, feedback(parent.outcome)]
    bare = parent.outcome.model_copy(update={"facts": ()})  # the review sums them up
    return [*lines, feedback(bare), f"Review: {critique.text}"]


def _file(name: str, text: str) -> str:
    return f"{name}:\n{text.rstrip()}"


def _changes(before: Candidate, after: Candidate) -> list[str]:
    """Lines that only one of the two has."""
    found: list[str] = []
    for name, text in after.files.items():
        lines = difflib.unified_diff(before.files.get(name, "").splitlines(), text.splitlines(), n=0, lineterm="")
        found += [line for line in lines if not line.startswith(("---", "+++", "@@"))]
    if len(found) > MOST_CHANGES:
        half = MOST_CHANGES // 2
        found = [*found[:half], "...", *found[-half:]]
    return found or ["nothing"]


def _path(tree: Tree, node: Node, candidate: Candidate) -> list[str]:
    """What was reached on the way to a node, and who made the program that is looked at."""
    words = [f"{each.reward:.2f}" if each.correct else each.outcome.status.value for each in tree.path(node)[::-1]]
    made_by = [f"Made by {candidate.origin}"] if candidate.origin else []
    return ["## Speedups on the path", " > ".join(words), *made_by]
