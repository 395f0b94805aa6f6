"""A state in words, for models that read: the same whatever a strategy shows to its policy.

What matters most comes last, because models that read little are given the end of it: the program, the change that
made it, what its parent was told, the rewards on the path, and what became of it.
"""

from __future__ import annotations

import difflib

from maxcode.core import Candidate
from maxcode.observe.feedback import feedback
from maxcode.observe.render import CHARACTERS_PER_TOKEN
from maxcode.tree import Node, Tree

TEXT_BUDGET = 6000
"""Tokens of a state's text: what small models can read."""


def state_text(tree: Tree, node: Node) -> str:
    """Of a program that has been run. Its own profile is made only when it is expanded, and is not part of it."""
    parent = tree.parent(node)
    critique = tree.critique(node)
    outcome = ["## What became of it", feedback(node.outcome)]
    if critique:
        outcome.append(f"Review: {critique.text}")
    return _joined(_program(tree, node.candidate, parent), _path(tree, node), outcome)


def proposal_text(tree: Tree, parent: Node, candidate: Candidate) -> str:
    """Of a program that has not been run: all but what will become of it."""
    return _joined(_program(tree, candidate, parent), _path(tree, parent))


def _joined(*parts: list[str]) -> str:
    text = "\n".join(line for part in parts for line in part)
    return text[-int(TEXT_BUDGET * CHARACTERS_PER_TOKEN) :]


def _program(tree: Tree, candidate: Candidate, parent: Node | None) -> list[str]:
    task = tree.task
    first = f"# {task.name} ({task.language.value} {task.kind}, judged by {task.objective.metric})"
    lines = [first, task.description, "## Program", *(_file(name, text) for name, text in candidate.files.items())]
    if parent is None:
        return lines
    made_by = f" ({candidate.origin})" if candidate.origin else ""
    lines += [f"## What was changed{made_by}", *_changes(parent.candidate, candidate)]
    lines += ["## What it was made from", feedback(parent.outcome)]
    critique = tree.critique(parent)
    return [*lines, f"Review: {critique.text}"] if critique else lines


def _file(name: str, text: str) -> str:
    return f"{name}:\n{text.rstrip()}"


def _changes(before: Candidate, after: Candidate) -> list[str]:
    """Lines that only one of the two has."""
    found: list[str] = []
    for name, text in after.files.items():
        lines = difflib.unified_diff(before.files.get(name, "").splitlines(), text.splitlines(), n=0, lineterm="")
        found += [line for line in lines if not line.startswith(("---", "+++", "@@"))]
    return found or ["nothing"]


def _path(tree: Tree, node: Node) -> list[str]:
    words = [f"{each.reward:.2f}" if each.correct else each.outcome.status.value for each in tree.path(node)[::-1]]
    return [f"## Speedups on the path\n{' > '.join(words)}"]
