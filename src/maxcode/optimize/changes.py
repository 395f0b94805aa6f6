"""The changes of a program in words: what each does, why, and what to look at before one merges it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from maxcode.core import Candidate, Frozen
from maxcode.optimize.steps import StepTaken
from maxcode.optimize.tidy import touched
from maxcode.policy.rewrite.actions import BY_NAME
from maxcode.search.tree import Node, Tree

RISKS: tuple[tuple[str, str], ...] = (
    ("fast-math", "sums may round differently, and NaN and infinity are not handled"),
    (
        "accumulators|simd-pragma|reduction",
        "floating-point sums are formed in another order, so they may round differently",
    ),
    (
        "hash-table|flat-hash",
        "the order of iteration differs from that of a sorted table; only keys are looked up here",
    ),
    ("parallel-for|threads", "uses a thread for each core"),
    ("block-reader|block-writer|streams-without-stdio", "do not mix it with other reads or writes of the same stream"),
    ("target-pragma|vector-width", "the program then needs a processor like the one that it was measured on"),
    ("index-for-at", "an index out of bounds is not noticed any more"),
)
"""Words on risks, by parts of the names of transformations."""


class Change(Frozen):
    """One change of a program."""

    name: str
    what: str
    risk: str | None = None

    @property
    def words(self) -> str:
        return f"{self.what} ({self.name})" + (f" Risk: {self.risk}." if self.risk else "")


def changes_of(tree: Tree, winner: Candidate, final: Candidate, steps: Sequence[StepTaken] = ()) -> tuple[Change, ...]:
    """Changes on the way from the baseline to the winner of which something is left in the final program.

    `steps` are those that it was made in, as far as they are known; else a program of the way counts as a whole.
    """
    left = touched(tree.task.baseline_candidate.files, final.files)
    if steps:
        names = list(_left_of(steps, left)) or [each.step.name for each in steps if each.touched & left]
        return tuple(map(change_named, dict.fromkeys(names)))
    node = next((node for node in tree if node.candidate.id == winner.id), None)
    if node is None:
        return ()
    path = tree.path(node)[::-1]
    names = [name for above, each in pairwise(path) for name in _names(above, each, left)]
    return tuple(change_named(name) for name in dict.fromkeys(names))


def _left_of(steps: Sequence[StepTaken], left: set[str]) -> Iterator[str]:
    """Names of steps that have a line in the diff which no step of another name touched: helpers have lines in common.

    Inclusions do not count: whoever needs one first adds it.
    """
    lines: dict[str, set[str]] = {}
    for each in steps:
        lines.setdefault(each.step.name, set()).update(each.touched)
    for name, own in lines.items():
        others = set().union(*(touched for other, touched in lines.items() if other != name))
        if any(not line.startswith("#include") for line in own & left - others):
            yield name


def _names(above: Node, node: Node, left: set[str]) -> list[str]:
    if not touched(above.candidate.files, node.candidate.files) & left:
        return []
    origin = node.candidate.origin or "unknown"
    if not origin.startswith("rewrite:"):
        return [f"program by {origin}"]
    return [name for name in re.findall(r"([\w-]+)(?:\([^@]*\))?@", origin) if name in BY_NAME]


def change_named(name: str) -> Change:
    risk = next((words for pattern, words in RISKS if re.search(pattern, name)), None)
    return Change(name=name, what=BY_NAME[name].summary if name in BY_NAME else f"As in the {name}.", risk=risk)
