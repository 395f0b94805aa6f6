"""Which transformation to try where: the rewriter's reading of an observation.

A critique says what to try, by the tags of its diagnoses and by the words of its text; profile facts say where; the
trajectory says what has failed on this path; examples say what has helped programs like this one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from maxcode.core import Critique
from maxcode.policy.rewrite.transformation import Rewrite, Transformation
from maxcode.search.observe.observation import Attempt, Observation

CALLED_FOR = 8.0
"""Weight of a transformation that answers the first diagnosis; later diagnoses count for less."""
MENTIONED = 3.0
"""Weight of one whose name a critique in words speaks of."""
FAILED = 0.2
"""Weight of one that a program on this path failed or slowed down after."""
SOLVED = 3.0
"""Weight of one that made a similar program faster."""
SHOWN = 2.0
"""Weight of one that answers what the profile of a torch model shows; a diagnosis weighs more."""
HOT = 4.0
"""Weight of a place where the profile says the time goes."""
NEAR = 10
"""Lines within which two places are near each other: most loops are this long or shorter."""


@dataclass(frozen=True)
class Priors:
    tags: dict[str, float] = field(default_factory=dict)
    words: str = ""
    failed: frozenset[str] = frozenset()
    solved: frozenset[str] = frozenset()
    hot: frozenset[int] = frozenset()

    def transformation(self, each: Transformation) -> float:
        called = max((self.tags.get(tag, 1.0) for tag in each.answers), default=1.0)
        mentioned = MENTIONED if called == 1.0 and each.name.replace("-", " ") in self.words else 1.0
        solved = SOLVED if each.name in self.solved else 1.0
        return each.prior * called * mentioned * solved * (FAILED if each.name in self.failed else 1.0)

    def place(self, rewrite: Rewrite) -> float:
        near = any(abs(rewrite.line - line) <= NEAR for line in self.hot)
        return rewrite.weight * (HOT if near else 1.0)


def priors(observation: Observation, start: Attempt) -> Priors:
    """What an observation says of the program that is to be rewritten."""
    critique = start.critique
    shown = observation.task.kind.signs(start.outcome.facts)
    return Priors(
        tags=dict.fromkeys(shown, SHOWN) | (_called_for(critique) if critique else {}),
        words=critique.text.lower().replace("-", " ") if critique else "",
        failed=_failed(observation),
        solved=frozenset(name for example in observation.examples for name in _names(example.actions)),
        hot=frozenset(fact.line for fact in start.outcome.facts if fact.kind == "hot_line" and fact.line is not None),
    )


def _called_for(critique: Critique) -> dict[str, float]:
    weights: dict[str, float] = {}
    for place, diagnosis in enumerate(critique.diagnoses):
        for tag in diagnosis.tags:
            weights.setdefault(tag, max(CALLED_FOR / (1 + 0.5 * place), 2.0))
    return weights


def _failed(observation: Observation) -> frozenset[str]:
    """Transformations after which a program on this path did not work or got clearly slower."""
    path = [*observation.trajectory, observation.current]
    found = set()
    for before, after in pairwise(path):
        if before.correct and (not after.correct or after.reward < 0.9 * before.reward):
            found |= _names(after.origin or "")
    return frozenset(found)


def _names(actions: str) -> set[str]:
    return set(re.findall(r"([\w-]+)(?:\([^@]*\))?@", actions))
